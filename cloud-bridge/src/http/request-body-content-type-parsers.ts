import type { FastifyInstance } from 'fastify';
import { apiErrorFactory } from './api-error.ts';

/** Otherwise compressed bytes would be taken for the body itself. */
export const refuseEncodedBodies = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    done(apiErrorFactory.refuseContentEncoding(request.headers['content-encoding']) ?? undefined);
  });
};

export const acceptOnlyJsonBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
    apiErrorFactory.parseJson(body),
  );
};

/** Passes byte bodies on as streams, so that archives are not read into memory. */
export const acceptByteStreams = (app: FastifyInstance): void => {
  app.addContentTypeParser('application/octet-stream', (_, payload, done) => done(null, payload));
};
