import type { Problem } from '@lintel/access-core/result';
import { describeProblems, BaseApiError } from '@lintel/wire-protocol/rest/base-api-error';
import { technicianErrorTypes, type TechnicianErrorType } from '@lintel/wire-protocol/technician/error-types';

export class TechnicianRequestError extends BaseApiError<TechnicianErrorType> {
  override readonly name = 'TechnicianRequestError';

  get status(): number {
    return technicianErrorTypes[this.type];
  }
}

export const createInvalidRequestError = (problems: readonly Problem[]): TechnicianRequestError =>
  new TechnicianRequestError('invalid_request', ...describeProblems(problems));
