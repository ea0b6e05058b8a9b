import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { World } from '@lintel/wire-protocol/simulator/world';
import type { LiveAudience } from '../world/live-audience.ts';
import { type OrderParts, orders } from './orders.ts';
import { guardOrigin, HttpError, jsonBody } from './request-guard.ts';

const LOOPBACK = '127.0.0.1';

const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export interface SimulatorServerParts extends OrderParts {
  readonly audience: LiveAudience;
  /** The built page. */
  readonly pageFile: string;
}

const answer = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(body);
};

const asJson = (response: ServerResponse, status: number, body: unknown): void =>
  answer(response, status, 'application/json', JSON.stringify(body));

/** Serves the page and what it needs, on this machine only. */
export class SimulatorServer {
  readonly url: string;
  readonly #server: Server;
  readonly #parts: SimulatorServerParts;

  private constructor(server: Server, parts: SimulatorServerParts) {
    this.#server = server;
    this.#parts = parts;
    this.url = `http://${LOOPBACK}:${(server.address() as { port: number }).port}`;
    server.on('request', (request, response) => {
      this.#serve(request, response).catch((error: unknown) => this.#fail(response, error));
    });
  }

  static async listen(port: number, parts: SimulatorServerParts): Promise<SimulatorServer> {
    const server = createServer({ noDelay: true }).listen(port, LOOPBACK);
    await once(server, 'listening');
    return new SimulatorServer(server, parts);
  }

  #fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent) return void response.destroy();
    if (error instanceof HttpError) {
      const { status, type, message, args } = error;
      return asJson(response, status, { type, message, args });
    }
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : 'something was thrown'}\n`);
    return asJson(response, 500, { type: 'internal', message: 'Something went wrong in the simulator', args: {} });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    guardOrigin(request);
    const path = request.url?.split('?')[0] ?? '/';
    if (request.method === 'POST') return this.#order(path, request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD, POST');
      throw new HttpError(405, 'method_not_allowed', 'GET, HEAD and POST only');
    }
    if (path === '/') return answer(response, 200, 'text/html', this.#page());
    if (path === '/api/world') return asJson(response, 200, this.#world());
    if (path === '/api/live') return this.#live(response);
    throw new HttpError(404, 'not_found', 'Not found');
  }

  #page(): string {
    try {
      return readFileSync(this.#parts.pageFile, 'utf8');
    } catch {
      throw new HttpError(503, 'unavailable', 'The page is not built: node console/build.ts');
    }
  }

  #world(): World {
    const { demo, player } = this.#parts;
    return { ...demo.world(), scenarios: player.scenarios, runs: player.runs() };
  }

  #live(response: ServerResponse): void {
    if (this.#parts.audience.join(response, this.#world())) return;
    throw new HttpError(503, 'unavailable', 'Too many look already');
  }

  async #order(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, collection, key = '', order] = /^\/api\/(\w+)(?:\/([\w-]+)\/(\w+))?$/.exec(path) ?? [];
    const name = order === undefined ? collection : `${collection}/${order}`;
    if (name === undefined || !Object.hasOwn(orders, name)) throw new HttpError(404, 'not_found', 'Not found');
    const problem = await orders[name]!(this.#parts, key, await jsonBody(request));
    if (problem !== null) throw new HttpError(409, 'conflict', problem);
    asJson(response, 200, {});
  }

  async close(): Promise<void> {
    this.#parts.audience.close();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
