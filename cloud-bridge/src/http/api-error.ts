import type { Problem, Result } from '@lintel/access-core/result';
import { HttpErrorFactory } from '@lintel/service/http/http-error-factory';
import { type ApiErrorType, apiErrorTypes } from '@lintel/wire-protocol/rest/api-error-types';
import { describeFirstProblem, BaseApiError } from '@lintel/wire-protocol/rest/base-api-error';

export class ApiError extends BaseApiError<ApiErrorType> {
  get status(): number {
    return apiErrorTypes[this.type];
  }
}

export const createNotFoundError = (kind: string, id: string): ApiError =>
  new ApiError('not_found', `Unknown ${kind}: ${id}`, { id });

export const createInvalidFieldError = (
  field: string,
  message: string,
  args: Readonly<Record<string, string>> = {},
): ApiError => new ApiError('invalid_request', message, { field, ...args });

const invalidRequestError = (problems: readonly Problem[]): ApiError =>
  new ApiError('invalid_request', ...describeFirstProblem(problems));

export const unwrapOrThrow = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw invalidRequestError(result.problems);
};

export const apiErrorFactory = new HttpErrorFactory(ApiError);
