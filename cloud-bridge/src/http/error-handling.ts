import { sendError } from '@lintel/service/http/http-errors';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { isUniqueViolation } from '../storage/database-error.ts';
import { ApiError, httpErrors } from './api-error.ts';

/** A database's error may quote the row it failed on in its other fields: they stay out of the log. */
const loggable = (error: unknown): object => {
  if (!(error instanceof Error)) return { message: typeof error };
  const { name, message, stack } = error;
  return { name, message, stack, code: (error as { code?: unknown }).code };
};

export const asApiError = (error: unknown, request: FastifyRequest): ApiError => {
  if (error instanceof ApiError) return error;
  const known = httpErrors.fromFramework(error as FastifyError);
  if (known !== null) return known;
  if (isUniqueViolation(error)) return new ApiError('invalid_request', 'Another request has just taken the same value');
  request.log.error({ error: loggable(error) }, 'request failed');
  return new ApiError('internal', 'Something went wrong here; the request id names it in the log', {
    request_id: request.id,
  });
};

/** `methodsAt` tells which methods a path has, so that a wrong one is 405 and not 404. */
export const handleErrors = (app: FastifyInstance, methodsAt: (path: string) => string[]): void => {
  app.setErrorHandler((error, request, reply) => {
    sendError(reply, asApiError(error, request));
    return reply;
  });
  app.setNotFoundHandler((request, reply) => {
    sendError(reply, httpErrors.notServed(request.method, methodsAt(request.url.split('?')[0] ?? '')));
    return reply;
  });
};
