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

/** For an address whose methods are others; none where there is nothing at all. */
export const notServed = (methods: readonly string[]): TechnicianError => {
  if (methods.length === 0) return new TechnicianError('not_found', 'There is nothing at this address');
  const allow = methods.join(', ');
  return new TechnicianError('method_not_allowed', `Allowed here: ${allow}`, {}, { allow });
};
