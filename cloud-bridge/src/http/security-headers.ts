import { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyRequest } from 'fastify';

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

const hsts = { 'strict-transport-security': 'max-age=31536000' } as const;

/** Also true behind a trusted reverse proxy that reports HTTPS. */
const isHttps = ({ raw, protocol }: FastifyRequest): boolean => raw.socket instanceof TLSSocket || protocol === 'https';

/** Sets the security headers and the request id, as it is in the log, on every response. */
export const addSecurityHeaders = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (isHttps(request)) reply.headers(hsts);
    reply.headers(request.url.startsWith('/v2/') ? apiHeaders : pageHeaders).header('x-request-id', request.id);
    done();
  });
};
