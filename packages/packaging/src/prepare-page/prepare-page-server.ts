import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { UsageError } from '@lintel/service/command-line/cli-command';
import { isLoopbackHost } from '@lintel/service/http/request-host';
import { replaceOptionsWithFieldNames, type PrepareFormValues, prepareFormSchema } from './prepare-form.ts';

const LOOPBACK = '127.0.0.1';
const TOKEN_BYTES = 24;

const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The files of the page. They have no secrets. */
const files: Readonly<Record<string, readonly [name: string, type: string]>> = {
  '/': ['page.html', 'text/html'],
  '/page.css': ['page.css', 'text/css'],
  '/page.js': ['page.js', 'text/javascript'],
};

export interface PreparePageActions {
  /** The choices of the form. */
  readonly choices: () => object;
  /** Throws an Error whose message is for the user. */
  readonly prepare: (form: PrepareFormValues) => Promise<object>;
}

const respond = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(body);
};

const respondJson = (response: ServerResponse, status: number, body: object): void =>
  respond(response, status, 'application/json', JSON.stringify(body));

/** A page on the loopback interface. Only who has the token of its link can use it, not other users of the machine. */
export class PreparePageServer {
  /** Browsers do not send what follows the `#`. */
  readonly url: string;
  readonly #server: Server;
  readonly #actions: PreparePageActions;
  readonly #token = randomBytes(TOKEN_BYTES).toString('base64url');
  /** One card at a time. */
  #isBusy = false;

  private constructor(server: Server, actions: PreparePageActions) {
    this.#server = server;
    this.#actions = actions;
    this.url = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}/#${this.#token}`;
    server.on('request', (request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        respondJson(response, 400, { message: replaceOptionsWithFieldNames((error as Error).message) });
      });
    });
  }

  static async listen(actions: PreparePageActions): Promise<PreparePageServer> {
    const server = createServer().listen(0, LOOPBACK);
    await once(server, 'listening');
    return new PreparePageServer(server, actions);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #isAuthorized({ headers: { authorization = '' } }: IncomingMessage): boolean {
    const [expected, actual] = [Buffer.from(`Bearer ${this.#token}`), Buffer.from(authorization)];
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/' } = request;
    if (!isLoopbackHost(request.headers.host))
      return respondJson(response, 403, { message: 'Only requests to this machine are accepted' });
    const file = method === 'GET' && Object.hasOwn(files, url) ? files[url] : undefined;
    if (file !== undefined)
      return respond(response, 200, file[1], readFileSync(join(import.meta.dirname, file[0]), 'utf8'));
    if (!this.#isAuthorized(request))
      return respondJson(response, 403, { message: 'Open the link that the command has printed.' });
    if (method === 'GET' && url === '/api/choices') return respondJson(response, 200, this.#actions.choices());
    if (method === 'POST' && url === '/api/prepare') return this.#prepare(request, response);
    return respondJson(response, 404, { message: 'Not found' });
  }

  async #prepare(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = prepareFormSchema.safeParse(await json(request));
    if (!form.success) throw new UsageError('The form is invalid. Reload the page.');
    if (this.#isBusy)
      return respondJson(response, 409, { message: 'A card is being prepared. Wait until it is done.' });
    this.#isBusy = true;
    try {
      respondJson(response, 200, await this.#actions.prepare(form.data));
    } finally {
      this.#isBusy = false;
    }
  }
}
