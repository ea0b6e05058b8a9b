import type { Problem } from '@lintel/access-core/result';
import { firstOf, RefusedRequest } from '@lintel/wire-protocol/rest/refused-request';
import { technicianErrorTypes, type TechnicianErrorType } from '@lintel/wire-protocol/technician/errors';

export class TechnicianError extends RefusedRequest<TechnicianErrorType> {
  override readonly name = 'TechnicianError';

  get status(): number {
    return technicianErrorTypes[this.type];
  }
}

export const invalidRequest = (problems: readonly Problem[]): TechnicianError =>
  new TechnicianError('invalid_request', ...firstOf(problems));
