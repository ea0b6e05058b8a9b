import { sendHttpError } from '@lintel/service/http/http-error-factory';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import {
  DatabaseUnavailableError,
  isStorageFailingError,
  isStorageFullError,
  isUniqueViolation,
} from '../storage/database-error.ts';
import { ApiError, apiErrorFactory } from './api-error.ts';

/** Other fields of a database error can contain row data, so they are not logged. */
const loggableFieldsOf = (error: unknown): object => {
  if (!(error instanceof Error)) return { message: typeof error };
  const { name, message, stack } = error;
  return { name, message, stack, code: (error as { code?: unknown }).code };
};

const retryAfter = (seconds: number) => ({ 'retry-after': String(seconds) });

/** For an outage that ends without a change of the request. Null for other errors. */
export const toOutageError = (error: unknown): ApiError | null => {
  if (error instanceof DatabaseUnavailableError)
    return new ApiError('unavailable', 'The bridge cannot reach its database. Try again later', {}, retryAfter(5));
  if (isStorageFullError(error))
    return new ApiError('insufficient_storage', 'The disk of the bridge is full. Try again later', {}, retryAfter(60));
  if (isStorageFailingError(error))
    return new ApiError(
      'unavailable',
      'The disk of the bridge fails, or its database is damaged. Try again later',
      { dependency: 'disk' },
      retryAfter(60),
    );
  return null;
};

export const toApiError = (error: unknown, request: FastifyRequest): ApiError => {
  if (error instanceof ApiError) return error;
  const frameworkError = apiErrorFactory.fromFramework(error as FastifyError);
  if (frameworkError !== null) return frameworkError;
  if (isUniqueViolation(error))
    return new ApiError('invalid_request', 'Another request used the same value at the same time. Try again');
  const outage = toOutageError(error);
  if (outage !== null) return outage;
  request.log.error({ error: loggableFieldsOf(error) }, 'Request failed');
  return new ApiError('internal', 'The bridge has an internal error. Search its log for the request id', {
    request_id: request.id,
  });
};

/** `methodsAt` returns the methods of a path, so that an unsupported method gets 405 and not 404. */
export const registerErrorHandling = (app: FastifyInstance, methodsAt: (path: string) => string[]): void => {
  app.setErrorHandler((error, request, reply) => {
    sendHttpError(reply, toApiError(error, request));
    return reply;
  });
  app.setNotFoundHandler((request, reply) => {
    sendHttpError(reply, apiErrorFactory.notServed(request.method, methodsAt(request.url.split('?')[0] ?? '')));
    return reply;
  });
};
