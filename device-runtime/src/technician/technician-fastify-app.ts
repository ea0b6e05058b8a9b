import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isRequestTargetPath } from '@lintel/service/http/request-host';
import type { Log } from '@lintel/service/log-function-type';
import { remoteTechnicianOperations } from '@lintel/wire-protocol/mqtt/remote-technician-operations';
import { checkHostHeader, checkOriginHeader } from './http/check-host-and-origin-headers.ts';
import {
  type PublicTechnicianRoute,
  createRoutePathMatcher,
  TECHNICIAN_API_ROOT,
  type TechnicianRoute,
  type AuthenticatedTechnicianRequest,
} from './http/technician-route-definition.ts';
import { createLoginRoutes } from './routes/login.ts';
import { createReadNextCardRoutes } from './routes/read-next-card-for-bridge.ts';
import { createClaimRoutes } from './routes/claim.ts';
import { createCommissioningCredentialRoutes } from './routes/commissioning-credential.ts';
import { createHealthAndHandoverRoutes } from './routes/health-test-results-and-handover-report.ts';
import { createInputRuleRoutes } from './routes/input-rules.ts';
import { createMonitoringRoutes } from './routes/status-events-support-bundle-and-live.ts';
import { serveTechnicianPageFile } from './routes/technician-page.ts';
import { createPcscReaderRoutes } from './routes/assign-pcsc-readers.ts';
import { createOsdpReaderRoutes } from './routes/replace-osdp-readers.ts';
import { createHardwareProfileRoutes } from './routes/hardware-profile.ts';
import { createHardwareTestRoutes } from './routes/hardware-tests.ts';
import { createCredentialTestRoutes } from './routes/credential-tests.ts';
import { TechnicianRequestError } from './errors/technician-request-error.ts';
import {
  registerOnlyJsonParser,
  sendMalformedUrlError,
  sendMalformedRequestError,
  registerErrorHandlers,
} from './http/request-bodies-and-errors.ts';
import type { TechnicianApiDependencies } from './technician-api-dependencies.ts';
import { readSessionToken } from './login/session-cookie-and-bearer-token.ts';

const BODY_LIMIT = 256 * 1024;

const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

const authenticate = (
  parts: TechnicianApiDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): AuthenticatedTechnicianRequest => {
  const token = readSessionToken(request.headers);
  const session = token === null ? null : (parts.remoteSessions.find(token) ?? parts.sessions.find(token));
  if (token === null || session === null)
    throw new TechnicianRequestError('unauthorized', 'Log in first', {}, { 'www-authenticate': 'Bearer' });
  return { request, reply, session, token };
};

/** A remote session is valid for the route of its operation, whatever the address of the request is. */
const checkRemoteOperation = ({ session }: AuthenticatedTechnicianRequest, { method, path }: TechnicianRoute): void => {
  if (session.by !== 'remote') return;
  const operation = remoteTechnicianOperations[session.operation];
  if (operation.method === method && operation.path === path) return;
  throw new TechnicianRequestError('forbidden', 'This operation requires the technician to be at the controller', {
    reason: 'at_the_door_only',
  });
};

const serve = (
  app: FastifyInstance,
  parts: TechnicianApiDependencies,
  route: TechnicianRoute | PublicTechnicianRoute,
): void => {
  app.route({
    method: route.method,
    url: `${TECHNICIAN_API_ROOT}${route.path}`,
    // Before the body is read, so that unauthenticated clients use no memory.
    onRequest: async (request, reply) => {
      if ('isPublic' in route) return;
      request.authenticated = authenticate(parts, request, reply);
      checkRemoteOperation(request.authenticated, route);
    },
    handler: async (request, reply) =>
      'isPublic' in route ? route.handle({ request, reply }) : route.handle(request.authenticated!),
  });
};

declare module 'fastify' {
  interface FastifyRequest {
    authenticated: AuthenticatedTechnicianRequest | null;
  }
}

interface ServerOptions {
  readonly https: { readonly key: string; readonly cert: string } | null;
  readonly log: Log;
}

/** The technician's API, ready to be served or to be asked without a socket. Everything is denied but what is listed as open. */
export const createTechnicianApiServer = (
  parts: TechnicianApiDependencies,
  { https, log }: ServerOptions,
): FastifyInstance => {
  const common = {
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: 15_000,
    keepAliveTimeout: 30_000,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    frameworkErrors: sendMalformedUrlError,
    clientErrorHandler: sendMalformedRequestError,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  } as const;
  const app = (
    https === null
      ? Fastify(common)
      : Fastify({ ...common, https: { ...https, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 } })
  ) as FastifyInstance;
  app.decorateRequest('authenticated', null);
  const routes: readonly (TechnicianRoute | PublicTechnicianRoute)[] = [
    ...createLoginRoutes(parts),
    ...createMonitoringRoutes(parts),
    ...createInputRuleRoutes(parts),
    ...createCredentialTestRoutes(parts),
    ...createCommissioningCredentialRoutes(parts),
    ...createHardwareTestRoutes(parts),
    ...createReadNextCardRoutes(parts),
    ...createHealthAndHandoverRoutes(parts),
    ...createHardwareProfileRoutes(parts),
    ...createPcscReaderRoutes(parts),
    ...createOsdpReaderRoutes(parts),
    ...createClaimRoutes(parts),
  ];
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    if (!isRequestTargetPath(request.raw.url))
      throw new TechnicianRequestError('invalid_request', 'The request target must be a path');
    // Links to the page may come from any origin.
    if (/^\/(\?|$)/.test(request.url)) checkHostHeader(request.headers, parts.hostNames);
    else checkOriginHeader(request.headers, parts.hostNames);
  });
  registerOnlyJsonParser(app);
  const matchers = routes.map(({ method, path }) => ({ method, matches: createRoutePathMatcher(path) }));
  const methodsAt = (path: string): readonly string[] => [
    ...new Set(matchers.filter(route => route.matches(path)).map(route => route.method)),
  ];
  registerErrorHandlers(app, log, methodsAt);
  for (const route of routes) serve(app, parts, route);
  serveTechnicianPageFile(app, parts.pagesDir);
  return app;
};
