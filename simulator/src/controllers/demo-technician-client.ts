import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { P256Signer } from '@lintel/crypto/p256';
import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';
import type { TechnicianChallengeResponse, TechnicianLoginRequest } from '@lintel/wire-protocol/technician/login';
import { createTechnicianPassLoginRequest } from '@lintel/wire-protocol/technician/login-proof';

const TIMEOUT_MS = 5000;

/** A technician pass and the key that it certifies. */
export interface DemoTechnicianPass {
  readonly pass: string;
  readonly key: P256Signer;
}

export class DemoTechnicianApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A client for the technician API of one controller. It trusts only this controller's certificate. */
export class DemoTechnicianClient {
  readonly #url: string;
  readonly #agent: Agent;
  #token: string | null = null;

  constructor(url: string, certificate: string) {
    this.#url = url;
    // The controller limits its connections. The live stream uses one.
    const pool = { keepAlive: true, maxSockets: 3 };
    this.#agent = new Agent({ ...pool, ca: certificate, checkServerIdentity: () => undefined });
  }

  #send(method: string, path: string, body?: object): Promise<IncomingMessage> {
    const headers = {
      ...(this.#token === null ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = httpsRequest(`${this.#url}/technician/v1/${path}`, { method, headers, agent: this.#agent });
      outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy(new Error('The controller does not respond')));
      outgoing.on('error', reject);
      outgoing.once('response', resolve);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async request<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const response = await this.#send(method, path, body);
    const content = await text(response);
    const { statusCode = 0 } = response;
    if (statusCode >= 300) throw new DemoTechnicianApiError(statusCode, `${method} ${path}: ${statusCode} ${content}`);
    return (content === '' ? {} : JSON.parse(content)) as T;
  }

  async loginWithPass({ pass, key }: DemoTechnicianPass): Promise<void> {
    this.#token = null;
    const challenge = await this.request<TechnicianChallengeResponse>('POST', 'challenge');
    const login = await createTechnicianPassLoginRequest(pass, challenge, key.sign);
    if (login === null) throw new Error('The bridge issued a malformed technician pass');
    await this.login(login);
  }

  async login(login: TechnicianLoginRequest): Promise<void> {
    this.#token = null;
    this.#token = (await this.request<{ token: string }>('POST', 'login', login)).token;
  }

  /** Follows the live stream until the connection ends. */
  async live(onMessage: (message: TechnicianLiveMessage) => void, onEnded: () => void): Promise<void> {
    const response = await this.#send('GET', 'live');
    if (response.statusCode !== 200) {
      response.destroy();
      throw new DemoTechnicianApiError(response.statusCode ?? 0, `live: ${response.statusCode}`);
    }
    response.socket.setTimeout(0);
    response.once('close', onEnded);
    const lines = createInterface({ input: response });
    lines.on('error', () => undefined);
    lines.on('line', line => {
      if (line.startsWith('data: ')) onMessage(JSON.parse(line.slice('data: '.length)) as TechnicianLiveMessage);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
