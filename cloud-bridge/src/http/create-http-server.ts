import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Server } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { repeatEvery } from '@lintel/service/timing/repeating-timer';
import { connectionTimeouts, IDLE_TIMEOUT_MS } from './connection-timeouts.ts';
import { rejectForeignHosts } from './reject-foreign-hosts.ts';
import { apiErrorFactory } from './api-error.ts';
import { toApiError, registerErrorHandling } from './error-handling.ts';
import { allowCrossOriginRequests } from './cors.ts';
import { serveHealth } from './health.ts';
import type { BackupMetricsSource } from '../metrics/backup-metrics.ts';
import { acceptOnlyJsonBodies, refuseEncodedBodies } from './request-body-content-type-parsers.ts';
import type { BridgeMetrics } from '../metrics/bridge-metrics.ts';
import { serveMetricsRoute } from './serve-metrics.ts';
import { AllowedMethods } from './allowed-methods.ts';
import { logRequests } from './request-log.ts';
import { addSecurityHeaders } from './security-headers.ts';
import type { Storage } from '../storage/open-storage.ts';

export interface HttpServerOptions {
  readonly storage: Storage;
  readonly metrics: BridgeMetrics;
  /** Null without scheduled backups. */
  readonly backups: BackupMetricsSource | null;
  /** Permits reading `/metrics`; null disables it. */
  readonly metricsToken: string | null;
  readonly logger: FastifyBaseLogger | false;
  /** Addresses and ranges of the proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly publicUrl: () => string;
  /** Counts the connections of all HTTP listeners together. */
  readonly limitConnections: (server: Server) => void;
}

const BODY_LIMIT = 256 * 1024;
const MAX_PARAM_LENGTH = 200;

const REQUEST_ID = /^[\w.:+/=-]{1,128}$/;

/** The id that the client or a proxy has given, so that the logs of all programs can be joined, or a new one. */
const requestIdOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
};

const newFastify = ({ logger, trustedProxies }: HttpServerOptions): FastifyInstance =>
  Fastify({
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    ...(logger === false ? { logger } : { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_LIMIT,
    http: connectionTimeouts,
    requestTimeout: connectionTimeouts.requestTimeout,
    keepAliveTimeout: connectionTimeouts.keepAliveTimeout,
    connectionTimeout: IDLE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // Requests on open connections are still served while the bridge stops.
    return503OnClosing: false,
    genReqId: requestIdOf,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error, request, reply) =>
      apiErrorFactory.sendBadAddress(reply.raw, toApiError(error, request), { 'x-request-id': request.id }),
    clientErrorHandler: (error, socket) => apiErrorFactory.endBrokenRequest(error, socket),
  });

/** A server with error handling, common headers, metrics and health checks, but without any API. */
export const createHttpServer = (options: HttpServerOptions): FastifyInstance => {
  const app = newFastify(options);
  options.limitConnections(app.server);
  const allowedMethods = new AllowedMethods();
  app.decorateRequest('caller', null);
  addSecurityHeaders(app);
  rejectForeignHosts(app, options.publicUrl);
  allowCrossOriginRequests(app);
  refuseEncodedBodies(app);
  acceptOnlyJsonBodies(app);
  registerErrorHandling(app, path => allowedMethods.methodsAt(path));
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) if (name !== 'HEAD') allowedMethods.add(name, url);
  });
  if (options.logger !== false) logRequests(app);
  options.metrics.measure(app);
  serveMetricsRoute(app, options.metrics, options.metricsToken);
  serveHealth(app, options);
  return app;
};

const CLOSE_TIMEOUT_MS = 2500;
const IDLE_CHECK_MS = 20;

/** Lets running requests finish, but closes all connections after a timeout. */
export const closeHttpServer = async (app: FastifyInstance): Promise<void> => {
  const timeout = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  // Keep-alive connections would otherwise stay open after their last request.
  const stopIdleCheck = repeatEvery(IDLE_CHECK_MS, () => app.server.closeIdleConnections());
  try {
    await app.close();
  } finally {
    clearTimeout(timeout);
    stopIdleCheck();
  }
};
