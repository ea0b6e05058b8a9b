import type { FastifyInstance } from 'fastify';

/** Archives are not read into memory: whoever handles them gets them as they come. */
export const acceptBytes = (app: FastifyInstance): void => {
  app.addContentTypeParser('application/octet-stream', (_, payload, done) => done(null, payload));
};
