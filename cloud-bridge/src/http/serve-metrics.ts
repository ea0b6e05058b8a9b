import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { isLoopbackHost } from '@lintel/service/http/request-host';
import type { FastifyInstance } from 'fastify';
import { hashToken } from '../secrets/create-and-hash-token.ts';
import { connectionTimeouts } from './connection-timeouts.ts';
import { ApiError, apiErrorFactory } from './api-error.ts';
import type { BridgeMetrics } from '../metrics/bridge-metrics.ts';

const isSameToken = (given: string, token: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(token)));

/**
 * `/metrics` for holders of the token. Without a token it does not exist: the address of a request does not show whether
 * it came through a reverse proxy on the same machine.
 */
export const serveMetricsRoute = (app: FastifyInstance, metrics: BridgeMetrics, token: string | null): void => {
  app.get('/metrics', async ({ headers }, reply) => {
    if (token === null) throw apiErrorFactory.notFound();
    const [scheme = '', given = ''] = (headers.authorization ?? '').split(' ');
    if (scheme.toLowerCase() !== 'bearer' || !isSameToken(given, token)) {
      const challenge = { 'www-authenticate': 'Bearer' };
      throw new ApiError('unauthorized', 'The token of --metrics-token-file is required', {}, challenge);
    }
    return reply.header('content-type', metrics.contentType).send(await metrics.text());
  });
};

/** Serves only `/metrics`, on a port of its own. For loopback: without a token. */
export const listenForMetrics = async (
  metrics: BridgeMetrics,
  host: string,
  port: number,
  limitConnections: (server: NetServer) => void,
): Promise<Server> => {
  const server = createServer(connectionTimeouts, (request, response) => {
    if (!isLoopbackHost(request.headers.host)) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end('Available on this machine only\n');
      return;
    }
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      text => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  limitConnections(server);
  server.listen(port, host);
  await once(server, 'listening');
  return server;
};
