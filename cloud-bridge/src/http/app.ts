import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { publicApi } from '../documentation/documented-api.ts';
import { serveDocumentation } from '../documentation/serve.ts';
import type { Services } from '../services.ts';
import type { Authenticator } from './authenticate.ts';
import type { Endpoint } from './endpoint.ts';
import { answerBadAddress, answerBrokenRequest, handleErrors } from './error-handling.ts';

import { serveHealth } from './health.ts';
import { Idempotency } from './idempotency.ts';
import { acceptJson } from './json-body.ts';
import { serveMetrics } from './metrics.ts';
import { PathTable } from './paths.ts';
import type { RateLimiter } from './rate-limit.ts';
import { logRequests } from './request-log.ts';
import { sendCommonHeaders } from './security-headers.ts';
import { serveEndpoint } from './serve-endpoint.ts';
import { tokenEntrance } from './token-entrance.ts';

export interface AppDependencies {
  readonly services: Services;
  /** Built again on the services of a transaction where a request has to be one. */
  readonly endpointsOn: (services: Services) => readonly Endpoint[];
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
  readonly logger: FastifyBaseLogger | false;
  readonly publicMetrics: boolean;
  /** Addresses and ranges of proxies that are believed when they say for whom they ask. */
  readonly trustedProxies: readonly string[];
}

const BODY_LIMIT = 256 * 1024;
const LONGEST_PARAM = 200;

const newFastify = ({ logger, trustedProxies }: AppDependencies): FastifyInstance =>
  Fastify({
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    ...(logger === false ? { logger } : { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // What arrives on an open connection while the bridge stops is still answered.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_PARAM },
    frameworkErrors: (error, request, reply) => answerBadAddress(error, request, reply.raw),
    clientErrorHandler: answerBrokenRequest,
  });

/** The whole API, ready to be served or to be asked without a socket. */
export const buildApp = (dependencies: AppDependencies): FastifyInstance => {
  const { services, endpointsOn, logger, publicMetrics } = dependencies;
  const { storage, writer } = services;
  const app = newFastify(dependencies);
  const paths = new PathTable();
  app.decorateRequest('caller', null);
  sendCommonHeaders(app);
  acceptJson(app);
  handleErrors(app, path => paths.methodsAt(path));
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') paths.add(one, url);
  });
  if (logger !== false) logRequests(app);
  serveMetrics(app, { storage, writer, isPublic: publicMetrics });
  serveHealth(app, storage);
  const endpoints = endpointsOn(services);
  const entrance = tokenEntrance(dependencies, new Idempotency(services, endpointsOn));
  for (const endpoint of endpoints) serveEndpoint(app, endpoint, entrance);
  serveDocumentation(app, publicApi, endpoints, services);
  return app;
};

const CLOSING_MS = 2500;
const SWEEPING_MS = 20;

/** Requests that are under way finish; one that takes too long is cut off, so that stopping has an end. */
export const closeApp = async (app: FastifyInstance): Promise<void> => {
  const cut = setTimeout(() => app.server.closeAllConnections(), CLOSING_MS);
  // A connection whose last request has been answered would otherwise wait for its next one.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEPING_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
    clearInterval(sweep);
  }
};
