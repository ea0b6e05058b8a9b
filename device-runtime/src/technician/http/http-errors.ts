import type { Socket } from 'node:net';
import { HttpErrors, sendError } from '@lintel/service/http/http-errors';
import type { Log } from '@lintel/service/log';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type * as z from 'zod';
import { invalidRequest, TechnicianError } from '../errors/technician-error.ts';

export const httpErrors = new HttpErrors(TechnicianError);

export const acceptJson = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => {
    try {
      done(null, httpErrors.parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
};

/** The body as the schema has it. Throws the error that names what is wrong. */
export const bodyAs = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> => {
  const parsed = parseWith(schema, body ?? {});
  if (parsed.ok) return parsed.value;
  throw invalidRequest(parsed.problems);
};

/** `methodsAt` lists the methods of a path, so that another method is 405 and not 404. */
export const handleErrors = (app: FastifyInstance, log: Log, methodsAt: (path: string) => readonly string[]): void => {
  app.setErrorHandler((error: FastifyError, _, reply) => {
    const known = error instanceof TechnicianError ? error : httpErrors.fromFramework(error);
    if (known === null) log('error', `a request of the technician page failed: ${error.message}`);
    sendError(reply, known ?? new TechnicianError('internal', 'Internal error. The log of the controller has details'));
  });
  app.setNotFoundHandler(({ method, url }, reply) =>
    sendError(reply, httpErrors.notServed(method, methodsAt(url.split('?')[0] ?? ''))),
  );
};

/** For an address that cannot be decoded: no hook has run and none will. */
export const answerBadAddress = (_error: FastifyError, _request: unknown, { raw }: FastifyReply): void =>
  httpErrors.sendBadAddress(raw, new TechnicianError('invalid_request', 'The address is not well encoded'));

export const answerBrokenRequest = (error: Error & { code?: string }, socket: Socket): void =>
  httpErrors.endBrokenRequest(error, socket);
