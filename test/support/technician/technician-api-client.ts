import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { P256Signer } from '@lintel/crypto/p256';
import type { TechnicianChallengeResponse, TechnicianLoginRequest } from '@lintel/wire-protocol/technician/login';
import { createTechnicianPassLoginRequest } from '@lintel/wire-protocol/technician/login-proof';
import { technicianKey } from './technician-key.ts';

export interface TechnicianApiResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, never>;
}

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A client of the technician API over real HTTPS that accepts any certificate. */
export class TechnicianApiClient {
  readonly #url: URL;
  token: string | null = null;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  #open(method: string, path: string, { headers, body }: RequestOptions) {
    const authorization = this.token === null ? {} : { authorization: `Bearer ${this.token}` };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const outgoing = request(new URL(`/technician/v1${path}`, this.#url), {
      method,
      rejectUnauthorized: false,
      headers: { ...authorization, ...type, ...headers },
    });
    outgoing.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    return outgoing;
  }

  call(method: string, path: string, options: RequestOptions = {}): Promise<TechnicianApiResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(method, path, options);
      outgoing.once('error', reject);
      outgoing.once('response', response => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text, body: text === '' ? {} : (JSON.parse(text) as Record<string, never>) });
        });
      });
    });
  }

  /** Sends a request without waiting for its response. Returns a function that closes the connection. */
  send(method: string, path: string, options: RequestOptions = {}): () => void {
    const outgoing = this.#open(method, path, options);
    outgoing.on('error', () => undefined);
    return () => void outgoing.destroy();
  }

  async challenge(): Promise<TechnicianChallengeResponse> {
    return (await this.call('POST', '/challenge')).body as unknown as TechnicianChallengeResponse;
  }

  /** Proves the possession of `key` for a pass. */
  async login(
    credential: { readonly code: string } | { readonly pass: string },
    key: P256Signer = technicianKey,
  ): Promise<TechnicianApiResponse> {
    if ('code' in credential) return this.sendLogin(credential);
    const { pass } = credential;
    const response = await this.call('POST', '/challenge');
    if (response.status !== 200) return response;
    const challenge = response.body as unknown as TechnicianChallengeResponse;
    const unsigned = { pass, challenge: challenge.challenge, signature: 'A'.repeat(86) };
    return this.sendLogin((await createTechnicianPassLoginRequest(pass, challenge, key.sign)) ?? unsigned);
  }

  async sendLogin(body: TechnicianLoginRequest): Promise<TechnicianApiResponse> {
    const response = await this.call('POST', '/login', { body });
    if (response.status === 200) this.token = response.body['token']!;
    return response;
  }

  /** The messages of the live stream so far; grows until `stop`. */
  live(): Promise<{ readonly messages: Record<string, unknown>[]; readonly ended: Promise<void>; stop(): void }> {
    return new Promise((resolve, reject) => {
      const outgoing = this.#open('GET', '/live', {});
      outgoing.once('error', reject);
      outgoing.once('response', response => {
        if (response.statusCode !== 200) return reject(new Error(`live: ${response.statusCode}`));
        const messages: Record<string, unknown>[] = [];
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          const blocks = (rest + chunk).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) {
            const data = /^data: (.*)$/m.exec(block)?.[1];
            if (data !== undefined) messages.push(JSON.parse(data) as Record<string, unknown>);
          }
        });
        const ended = new Promise<void>(done => {
          response.once('close', () => done());
        });
        return resolve({ messages, ended, stop: () => outgoing.destroy() });
      });
    });
  }
}
