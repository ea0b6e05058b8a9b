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

const MAX_NAMED = 5;

/** Names the first few and counts the others. */
export const listNames = (names: readonly string[]): string => {
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** What uses an object keeps it from being deleted. `id` is that of the first user. */
export const createInUseError = (field: string, id: string, users: readonly string[]): ApiError =>
  createInvalidFieldError(
    field,
    `Still in use by ${listNames(users)}. Remove these first, or send force=true to remove them too`,
    { id },
  );

const invalidRequestError = (problems: readonly Problem[]): ApiError =>
  new ApiError('invalid_request', ...describeFirstProblem(problems));

export const unwrapOrThrow = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw invalidRequestError(result.problems);
};

export const apiErrorFactory = new HttpErrorFactory(ApiError);
