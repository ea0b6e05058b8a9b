import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { ConnectionLimit, limitConnections } from '@lintel/service/connections/connection-limit';
import { isLoopbackHost } from '@lintel/service/http/request-host';
import type { GatewayStatusDocument } from './status-document-types.ts';
import { GATEWAY_STATUS_PAGE_HTML } from './status-page.ts';

const LOOPBACK = '127.0.0.1';
const CONNECTION_LIMITS = { open: 64, openPerNetwork: 64 };
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const answer = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(body);
};

/** Serves the status page on loopback. */
export class GatewayStatusServer {
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async listen(port: number, status: () => GatewayStatusDocument): Promise<GatewayStatusServer> {
    const server = createServer(TIMEOUTS, (request, response) => {
      if (!isLoopbackHost(request.headers.host))
        return answer(response, 403, 'text/plain', 'Available on this machine only\n');
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return answer(response, 405, 'text/plain', 'GET only\n');
      }
      const path = request.url?.split('?')[0];
      if (path === '/status.json') return answer(response, 200, 'application/json', JSON.stringify(status()));
      if (path === '/') return answer(response, 200, 'text/html', GATEWAY_STATUS_PAGE_HTML);
      answer(response, 404, 'text/plain', 'Not found. See / and /status.json\n');
    });
    limitConnections(server, new ConnectionLimit(CONNECTION_LIMITS, () => performance.now()));
    server.listen(port, LOOPBACK);
    await once(server, 'listening');
    return new GatewayStatusServer(server, (server.address() as { port: number }).port);
  }

  get url(): string {
    return `http://${LOOPBACK}:${this.port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
