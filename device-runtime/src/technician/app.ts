import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Log } from '@lintel/service/log';
import { checkHost, checkOrigin } from './http/request-origin.ts';
import { type OpenRoute, pathMatcher, ROOT, type Route, type AuthenticatedRequest } from './http/route.ts';
import { accountRoutes } from './routes/account.ts';
import { claimRoutes } from './routes/claim.ts';
import { commissioningRoutes } from './routes/commissioning.ts';
import { handoverRoutes } from './routes/handover.ts';
import { inputRuleRoutes } from './routes/input-rules.ts';
import { statusRoutes } from './routes/status.ts';
import { servePage } from './routes/pages.ts';
import { profileRoutes } from './routes/profile.ts';
import { hardwareTestRoutes } from './routes/hardware-tests.ts';
import { credentialTestRoutes } from './routes/credential-tests.ts';
import { TechnicianError } from './errors/technician-error.ts';
import { acceptJson, answerBadAddress, answerBrokenRequest, handleErrors } from './http/http-errors.ts';
import type { TechnicianParts } from './technician-parts.ts';
import { tokenOf } from './login/session-token.ts';

const BODY_LIMIT = 256 * 1024;

const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

const authenticate = (parts: TechnicianParts, request: FastifyRequest, reply: FastifyReply): AuthenticatedRequest => {
  const token = tokenOf(request.headers);
  const far = token === null ? null : parts.remoteSessions.find(token);
  if (token !== null && far !== null) return { request, reply, session: { technician: far }, token };
  const session = token === null ? null : parts.sessions.find(token);
  if (token === null || session === null)
    throw new TechnicianError('unauthorized', 'Log in first', {}, { 'www-authenticate': 'Bearer' });
  return { request, reply, session, token };
};

const serve = (app: FastifyInstance, parts: TechnicianParts, route: Route | OpenRoute): void => {
  app.route({
    method: route.method,
    url: `${ROOT}${route.path}`,
    // Before the body is read: a stranger's is not worth the memory.
    onRequest: async (request, reply) => {
      if (!('isOpen' in route)) request.authenticated = authenticate(parts, request, reply);
    },
    handler: async (request, reply) =>
      'isOpen' in route ? route.handle({ request, reply }) : route.handle(request.authenticated!),
  });
};

declare module 'fastify' {
  interface FastifyRequest {
    authenticated: AuthenticatedRequest | null;
  }
  interface FastifyInstance {
    /** What may be asked at a path; nothing where there is none. */
    methodsAt: (path: string) => readonly string[];
  }
}

interface ServerOptions {
  readonly https: { readonly key: string; readonly cert: string } | null;
  readonly log: Log;
}

/** The technician's API, ready to be served or to be asked without a socket. Everything is denied but what is listed as open. */
export const buildTechnicianApp = (parts: TechnicianParts, { https, log }: ServerOptions): FastifyInstance => {
  const common = {
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: 15_000,
    keepAliveTimeout: 30_000,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    frameworkErrors: answerBadAddress,
    clientErrorHandler: answerBrokenRequest,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  } as const;
  const app = (
    https === null
      ? Fastify(common)
      : Fastify({ ...common, https: { ...https, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 } })
  ) as FastifyInstance;
  app.decorateRequest('authenticated', null);
  const routes: readonly (Route | OpenRoute)[] = [
    ...accountRoutes(parts),
    ...statusRoutes(parts),
    ...inputRuleRoutes(parts),
    ...credentialTestRoutes(parts),
    ...commissioningRoutes(parts),
    ...hardwareTestRoutes(parts),
    ...handoverRoutes(parts),
    ...profileRoutes(parts),
    ...claimRoutes(parts),
  ];
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    // A link that leads to the page may come from anywhere: the page does nothing by itself.
    if (/^\/(\?|$)/.test(request.url)) checkHost(request.headers, parts.hostNames);
    else checkOrigin(request.headers, parts.hostNames);
  });
  acceptJson(app);
  const matchers = routes.map(({ method, path }) => ({ method, matches: pathMatcher(path) }));
  app.decorate('methodsAt', (path: string) => [
    ...new Set(matchers.filter(one => one.matches(path)).map(one => one.method)),
  ]);
  handleErrors(app, log, app.methodsAt);
  for (const route of routes) serve(app, parts, route);
  servePage(app, parts.pagesDir);
  return app;
};
