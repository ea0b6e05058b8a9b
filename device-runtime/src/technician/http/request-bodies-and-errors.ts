import type { Socket } from 'node:net';
import { HttpErrorFactory, sendHttpError } from '@lintel/service/http/http-error-factory';
import type { Log } from '@lintel/service/log-function-type';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type * as z from 'zod';
import { createInvalidRequestError, TechnicianRequestError } from '../errors/technician-request-error.ts';

const httpErrors = new HttpErrorFactory(TechnicianRequestError);

export const registerOnlyJsonParser = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    done(httpErrors.refuseContentEncoding(request.headers['content-encoding']) ?? undefined);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => {
    try {
      done(null, httpErrors.parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
};

/** Parses the body. Throws an error that names the invalid field. */
export const parseTechnicianRequestBody = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> => {
  const parsed = parseWithSchema(schema, body ?? {});
  if (parsed.ok) return parsed.value;
  throw createInvalidRequestError(parsed.problems);
};

/** `methodsAt` lists the methods of a path, so that another method is 405 and not 404. */
export const registerErrorHandlers = (
  app: FastifyInstance,
  log: Log,
  methodsAt: (path: string) => readonly string[],
): void => {
  app.setErrorHandler((error: FastifyError, _, reply) => {
    const known = error instanceof TechnicianRequestError ? error : httpErrors.fromFramework(error);
    if (known === null) log('error', `A request of the technician page failed: ${error.message}`);
    sendHttpError(
      reply,
      known ?? new TechnicianRequestError('internal', 'Internal error. See the controller log for details'),
    );
  });
  app.setNotFoundHandler(({ method, url }, reply) =>
    sendHttpError(reply, httpErrors.notServed(method, methodsAt(url.split('?')[0] ?? ''))),
  );
};

/** For a URL that cannot be decoded; no hooks run. */
export const sendMalformedUrlError = (_error: FastifyError, _request: unknown, { raw }: FastifyReply): void =>
  httpErrors.sendBadAddress(raw, new TechnicianRequestError('invalid_request', 'The URL is malformed'));

export const sendMalformedRequestError = (error: Error & { code?: string }, socket: Socket): void =>
  httpErrors.endBrokenRequest(error, socket);
