import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { httpErrors } from './api-error.ts';
import { asApiError, handleErrors } from './error-handling.ts';
import { serveHealth } from './health.ts';
import { acceptJson } from './request-body.ts';
import { type MetricsSources, serveMetrics } from './metrics.ts';
import { PathTable } from './paths.ts';
import { logRequests } from './request-log.ts';
import { sendCommonHeaders } from './security-headers.ts';

export interface ServerOptions {
  readonly metrics: MetricsSources;
  readonly logger: FastifyBaseLogger | false;
  /** Addresses and ranges of the proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
}

const BODY_LIMIT = 256 * 1024;
const LONGEST_PARAM = 200;

const newFastify = ({ logger, trustedProxies }: ServerOptions): FastifyInstance =>
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
    frameworkErrors: (error, request, reply) =>
      httpErrors.sendBadAddress(reply.raw, asApiError(error, request), { 'x-request-id': request.id }),
    clientErrorHandler: (error, socket) => httpErrors.endBrokenRequest(error, socket),
  });

/** A server with error handling, common headers, metrics and health checks, and without any API yet. */
export const createServer = (options: ServerOptions): FastifyInstance => {
  const app = newFastify(options);
  const paths = new PathTable();
  app.decorateRequest('caller', null);
  sendCommonHeaders(app);
  acceptJson(app);
  handleErrors(app, path => paths.methodsAt(path));
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') paths.add(one, url);
  });
  if (options.logger !== false) logRequests(app);
  serveMetrics(app, options.metrics);
  serveHealth(app, options.metrics.storage);
  return app;
};

const CLOSING_MS = 2500;
const SWEEPING_MS = 20;

/** Requests that are under way finish; one that takes too long is cut off, so that stopping has an end. */
export const closeServer = async (app: FastifyInstance): Promise<void> => {
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
