import type { FastifyInstance } from 'fastify';

/** API responses must not be rendered, framed or interpreted as another content type. */
const apiHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** Strict defaults; a page that needs more overrides them. */
const pageHeaders = {
  ...apiHeaders,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Sets the security headers and the request id, as it is in the log, on every response. */
export const sendCommonHeaders = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith('/v2/') ? apiHeaders : pageHeaders).header('x-request-id', request.id);
    done();
  });
};
