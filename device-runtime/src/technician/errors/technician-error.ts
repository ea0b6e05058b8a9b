import type { Problem } from '@lintel/access-core/result';
import { describeFirstProblem, RequestError } from '@lintel/wire-protocol/rest/request-error';
import { technicianErrorTypes, type TechnicianErrorType } from '@lintel/wire-protocol/technician/errors';

export class TechnicianError extends RequestError<TechnicianErrorType> {
  override readonly name = 'TechnicianError';

  get status(): number {
    return technicianErrorTypes[this.type];
  }
}

export const createInvalidRequestError = (problems: readonly Problem[]): TechnicianError =>
  new TechnicianError('invalid_request', ...describeFirstProblem(problems));
