import type { FastifyInstance } from 'fastify';

/** Data is never rendered: it cannot be framed, run or guessed to be something else. */
const forData = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** The strictest; a page that needs more says so itself. */
const forPages = {
  ...forData,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** On every answer, with the id under which the log knows the request. */
export const sendCommonHeaders = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith('/v2/') ? forData : forPages).header('x-request-id', request.id);
    done();
  });
};
