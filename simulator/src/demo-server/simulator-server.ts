import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import type { LiveBroadcaster } from './live-broadcaster.ts';
import { type PageCommandContext, simulatorPageCommands } from './page-commands.ts';
import type { OneTimeToken } from './one-time-token.ts';
import { requireLocalOrigin, SimulatorApiError, readJsonBody } from './local-origin-check-and-json-body.ts';

const LOOPBACK = '127.0.0.1';

const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export interface SimulatorServerOptions extends PageCommandContext {
  readonly broadcaster: LiveBroadcaster;
  /** Signs a browser in to the console that does not come from the simulator page. */
  readonly consoleToken: OneTimeToken;
  readonly pageFile: string;
}

/** A page of the bridge, and the cookies that open it. */
interface SignedInPage {
  readonly url: string;
  readonly cookies: readonly string[];
}

const respond = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(body);
};

const respondJson = (response: ServerResponse, status: number, body: unknown): void =>
  respond(response, status, 'application/json', JSON.stringify(body));

/** Serves the simulator page and its API on the loopback interface. */
export class SimulatorServer {
  readonly url: string;
  readonly #server: Server;
  readonly #options: SimulatorServerOptions;

  private constructor(server: Server, options: SimulatorServerOptions) {
    this.#server = server;
    this.#options = options;
    this.url = `http://${LOOPBACK}:${(server.address() as { port: number }).port}`;
    server.on('request', (request, response) => {
      this.#serve(request, response).catch((error: unknown) => this.#fail(response, error));
    });
  }

  static async listen(port: number, options: SimulatorServerOptions): Promise<SimulatorServer> {
    const server = createServer({ noDelay: true }).listen(port, LOOPBACK);
    await once(server, 'listening');
    return new SimulatorServer(server, options);
  }

  #fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent) return void response.destroy();
    if (error instanceof SimulatorApiError) {
      const { status, type, message, args } = error;
      return respondJson(response, status, { type, message, args });
    }
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : 'unknown error'}\n`);
    return respondJson(response, 500, { type: 'internal', message: 'Internal error of the simulator', args: {} });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requireLocalOrigin(request);
    const path = request.url?.split('?')[0] ?? '/';
    if (request.method === 'POST') return this.#runCommand(path, request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD, POST');
      throw new SimulatorApiError(405, 'method_not_allowed', 'GET, HEAD and POST only');
    }
    if (path === '/') return respond(response, 200, 'text/html', this.#page());
    if (path === '/api/world') return respondJson(response, 200, this.#world());
    if (path === '/api/live') return this.#live(response);
    const [, controller] = /^\/technician\/([\w-]+)$/.exec(path) ?? [];
    if (controller !== undefined)
      return this.#signIn(request, response, () => this.#options.demo.openTechnicianPage(controller));
    const consolePath = /^\/console(?:\/([\w-]+))?$/.exec(path);
    if (consolePath !== null) return this.#signIn(request, response, () => this.#openConsole(request, consolePath[1]));
    throw new SimulatorApiError(404, 'not_found', 'Not found');
  }

  /** A used or wrong link leads to the login page, or to the console if the browser is signed in already. */
  #openConsole({ method, headers: sent }: IncomingMessage, token: string | undefined): Promise<SignedInPage | null> {
    const { demo, consoleToken } = this.#options;
    const isAllowed =
      token === undefined ? sent['sec-fetch-site'] === 'same-origin' : method === 'GET' && consoleToken.use(token);
    return isAllowed ? demo.openConsole() : Promise.resolve({ url: `${demo.addresses.bridgeUrl}/`, cookies: [] });
  }

  /** Signs the browser in. Cookies do not depend on the port, so the bridge gets them too. */
  async #signIn(
    { headers: sent, url }: IncomingMessage,
    response: ServerResponse,
    open: () => Promise<SignedInPage | null>,
  ): Promise<void> {
    const site = sent['sec-fetch-site'];
    if (site === 'cross-site' || site === 'same-site')
      throw new SimulatorApiError(403, 'forbidden', 'Requests from other sites are not accepted');
    // The bridge uses this host name, and cookies depend on it.
    const { host } = new URL(this.url);
    const location = sent.host === host ? null : `${this.url}${url}`;
    if (location !== null) return void response.writeHead(302, { ...headers, location }).end();
    const page = await open();
    if (page === null) throw new SimulatorApiError(404, 'not_found', 'Unknown controller');
    response.writeHead(302, { ...headers, location: page.url, 'set-cookie': [...page.cookies] }).end();
  }

  #page(): string {
    try {
      return readFileSync(this.#options.pageFile, 'utf8');
    } catch {
      throw new SimulatorApiError(503, 'unavailable', 'The page is not built. Run: node console/build.ts');
    }
  }

  #world(): SimulatorState {
    const { demo, player } = this.#options;
    return { ...demo.world(), scenarios: player.scenarios, runs: player.runs() };
  }

  #live(response: ServerResponse): void {
    if (this.#options.broadcaster.addViewer(response, this.#world())) return;
    throw new SimulatorApiError(503, 'unavailable', 'Too many open pages');
  }

  async #runCommand(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, collection, key = '', command] = /^\/api\/(\w+)(?:\/([\w-]+)\/(\w+))?$/.exec(path) ?? [];
    const name = command === undefined ? collection : `${collection}/${command}`;
    if (name === undefined || !Object.hasOwn(simulatorPageCommands, name))
      throw new SimulatorApiError(404, 'not_found', 'Not found');
    const problem = await simulatorPageCommands[name]!(this.#options, key, await readJsonBody(request));
    if (problem !== null) throw new SimulatorApiError(409, 'conflict', problem);
    respondJson(response, 200, {});
  }

  async close(): Promise<void> {
    this.#options.broadcaster.close();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
