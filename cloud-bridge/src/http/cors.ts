import type { FastifyInstance } from 'fastify';

/** Authenticated by tokens in headers or forms, never by cookies, so any page may call them. */
const isCorsPath = (url: string): boolean =>
  /^\/(?:v2(?:\/.*)?|oauth2\/token\/?|\.well-known\/oauth-authorization-server\/?)$/s.test(url.split('?', 1)[0] ?? '');

const responseHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'allow, idempotency-replayed, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, www-authenticate, x-request-id',
} as const;

const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, x-request-id',
  'access-control-max-age': '7200',
} as const;

/** Permits requests of browser applications from any origin, without cookies. Answers their preflight requests. */
export const allowCrossOriginRequests = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isCorsPath(request.url)) return done();
    reply.headers(responseHeaders);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return done();
    reply.headers(preflightHeaders).code(204).send();
  });
};
