import type { Problem, Result } from '@lintel/access-core/result';
import { HttpErrors } from '@lintel/service/http/http-errors';
import { type ErrorType, errorTypes } from '@lintel/wire-protocol/rest/error';
import { firstOf, RefusedRequest } from '@lintel/wire-protocol/rest/refused-request';

export class ApiError extends RefusedRequest<ErrorType> {
  get status(): number {
    return errorTypes[this.type];
  }
}

export const notFound = (what: string, id: string): ApiError =>
  new ApiError('not_found', `There is no ${what} ${id}`, { id });

export const invalid = (field: string, message: string, args: Readonly<Record<string, string>> = {}): ApiError =>
  new ApiError('invalid_request', message, { field, ...args });

const invalidRequest = (problems: readonly Problem[]): ApiError =>
  new ApiError('invalid_request', ...firstOf(problems));

export const orThrow = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw invalidRequest(result.problems);
};

export const httpErrors = new HttpErrors(ApiError);
