import type { Socket } from 'node:net';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type * as z from 'zod';
import type { Log } from '@lintel/service/log/log';
import { invalidRequest, notServed, TechnicianError } from '../errors/technician-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new TechnicianError('invalid_request', 'The body is not well-formed JSON');
  }
};

export const acceptJson = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => {
    try {
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
};

/** The body as the schema has it, or the answer that names what is wrong. */
export const bodyAs = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> => {
  const parsed = parseWith(schema, body ?? {});
  if (parsed.ok) return parsed.value;
  throw invalidRequest(parsed.problems);
};

const fromFramework = ({ code, statusCode }: FastifyError): TechnicianError | null => {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new TechnicianError('payload_too_large', 'The body is too large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new TechnicianError('unsupported_media_type', 'The body must be application/json');
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? new TechnicianError('invalid_request', 'The request is not valid')
    : null;
};

const send = (reply: FastifyReply, { status, headers, body }: TechnicianError): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body));

/** `methodsAt` tells which methods a path has, so that a wrong one is 405 and not 404. */
export const handleErrors = (app: FastifyInstance, log: Log, methodsAt: (path: string) => readonly string[]): void => {
  app.setErrorHandler((error: FastifyError, _, reply) => {
    if (error instanceof TechnicianError) return send(reply, error);
    const known = fromFramework(error);
    if (known !== null) return send(reply, known);
    log('error', `a request of the technician's page failed: ${error.message}`);
    return send(reply, new TechnicianError('internal', 'Something went wrong in the controller; its log says what'));
  });
  app.setNotFoundHandler((request, reply) => send(reply, notServed(methodsAt(request.url.split('?')[0] ?? ''))));
};

/** An address that cannot even be decoded: no hook has run and none will. */
export const answerBadAddress = (_error: FastifyError, _request: unknown, { raw }: FastifyReply): void => {
  const { body } = new TechnicianError('invalid_request', 'The address is not well encoded');
  raw.writeHead(400, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  raw.end(JSON.stringify(body));
};

const LINGER_MS = 2_000;

/** What is not HTTP, or too slow to become it. */
export const answerBrokenRequest = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(new TechnicianError('invalid_request', 'The request is not well-formed HTTP').body);
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  // One who does not read the answer, or never hangs up, must not keep the place.
  socket.setTimeout(LINGER_MS, () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
};
