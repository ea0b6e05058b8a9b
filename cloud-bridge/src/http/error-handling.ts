import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUniqueViolation } from '../storage/database-error.ts';
import { ApiError } from './api-error.ts';

/** What the HTTP framework refuses by itself, in our words. */
const fromFramework = (error: FastifyError): ApiError | null => {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('payload_too_large', 'The body is too large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_media_type', 'The body must be application/json');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('invalid_request', 'The body is not as long as Content-Length says');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError('not_found', 'There is nothing at this address');
    case 'FST_ERR_BAD_URL':
      return new ApiError('invalid_request', 'The address is not well encoded');
    default:
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? new ApiError('invalid_request', 'The request is not valid')
        : null;
  }
};

/** A database's error may quote the row it failed on in its other fields: they stay out of the log. */
const loggable = (error: unknown): object => {
  if (!(error instanceof Error)) return { message: typeof error };
  const { name, message, stack } = error;
  return { name, message, stack, code: (error as { code?: unknown }).code };
};

const asApiError = (error: unknown, request: FastifyRequest): ApiError => {
  if (error instanceof ApiError) return error;
  const known = fromFramework(error as FastifyError);
  if (known !== null) return known;
  if (isUniqueViolation(error)) return new ApiError('invalid_request', 'Another request has just taken the same value');
  request.log.error({ error: loggable(error) }, 'request failed');
  return new ApiError('internal', 'Something went wrong here; the request id names it in the log', {
    request_id: request.id,
  });
};

const send = (reply: FastifyReply, error: ApiError): FastifyReply =>
  reply
    .code(error.status)
    .headers(error.headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(error.body));

/** `methodsAt` tells which methods a path has, so that a wrong one is 405 and not 404. */
export const handleErrors = (app: FastifyInstance, methodsAt: (path: string) => string[]): void => {
  app.setErrorHandler((error, request, reply) => send(reply, asApiError(error, request)));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const allowed = methodsAt(path);
    const error =
      allowed.length === 0 || allowed.includes(request.method)
        ? new ApiError('not_found', 'There is nothing at this address')
        : new ApiError('method_not_allowed', `Allowed here: ${allowed.join(', ')}`, {}, { allow: allowed.join(', ') });
    return send(reply, error);
  });
};

/** An address that the router cannot even decode: no hook has run and none will. */
export const answerBadAddress = (error: FastifyError, request: FastifyRequest, response: ServerResponse): void => {
  const { status, body } = asApiError(error, request);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': request.id,
  });
  response.end(JSON.stringify(body));
};

const statusLines: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What is not HTTP, or too slow to become it. */
export const answerBrokenRequest = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(new ApiError('invalid_request', 'The request is not well-formed HTTP').body);
  const head = [
    `HTTP/1.1 ${statusLines[error.code ?? ''] ?? '400 Bad Request'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
};
