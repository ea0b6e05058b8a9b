import type { FastifyInstance } from 'fastify';
import { httpErrors } from './api-error.ts';

export const acceptJson = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
    httpErrors.parseJson(body),
  );
};

/** Passes archives on as streams, so that they are not read into memory. */
export const acceptBytes = (app: FastifyInstance): void => {
  app.addContentTypeParser('application/octet-stream', (_, payload, done) => done(null, payload));
};
