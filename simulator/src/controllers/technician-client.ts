import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { LiveHappening } from '@lintel/wire-protocol/technician/live';

const TIMEOUT_MS = 5000;

export class TechnicianApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A client of one controller's technician API that trusts this controller's certificate only. */
export class TechnicianClient {
  readonly #url: string;
  readonly #agent: Agent;
  #token: string | null = null;

  constructor(url: string, certificate: string) {
    this.#url = url;
    // The controller limits its connections; the live stream takes one of these.
    const pool = { keepAlive: true, maxSockets: 3 };
    this.#agent = new Agent({ ...pool, ca: certificate, checkServerIdentity: () => undefined });
  }

  #send(method: string, path: string, body?: object): Promise<IncomingMessage> {
    const headers = {
      ...(this.#token === null ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#url}/technician/v1/${path}`, { method, headers, agent: this.#agent });
      sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error('the controller does not answer')));
      sent.on('error', reject);
      sent.once('response', resolve);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const response = await this.#send(method, path, body);
    const content = await text(response);
    const { statusCode = 0 } = response;
    if (statusCode >= 300) throw new TechnicianApiError(statusCode, `${method} ${path}: ${statusCode} ${content}`);
    return (content === '' ? {} : JSON.parse(content)) as T;
  }

  async login(login: { readonly code: string } | { readonly pass: string }): Promise<void> {
    this.#token = null;
    this.#token = (await this.ask<{ token: string }>('POST', 'login', login)).token;
  }

  /** Follows the live stream until the connection ends. */
  async live(tell: (happening: LiveHappening) => void, ended: () => void): Promise<void> {
    const response = await this.#send('GET', 'live');
    if (response.statusCode !== 200) {
      response.destroy();
      throw new TechnicianApiError(response.statusCode ?? 0, `live: ${response.statusCode}`);
    }
    response.socket.setTimeout(0);
    response.once('close', ended);
    const lines = createInterface({ input: response });
    lines.on('error', () => undefined);
    lines.on('line', line => {
      if (line.startsWith('data: ')) tell(JSON.parse(line.slice('data: '.length)) as LiveHappening);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
