import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** An empty body is none: many clients announce JSON on a DELETE and send nothing. */
const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError('invalid_request', 'The body is not well-formed JSON');
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
