import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';

export interface TechnicianAnswer {
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
export class TechnicianClient {
  readonly #url: URL;
  token: string | null = null;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  #open(method: string, path: string, { headers, body }: RequestOptions) {
    const authorization = this.token === null ? {} : { authorization: `Bearer ${this.token}` };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const asked = request(new URL(`/technician/v1${path}`, this.#url), {
      method,
      rejectUnauthorized: false,
      headers: { ...authorization, ...type, ...headers },
    });
    asked.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    return asked;
  }

  ask(method: string, path: string, options: RequestOptions = {}): Promise<TechnicianAnswer> {
    return new Promise((resolve, reject) => {
      const asked = this.#open(method, path, options);
      asked.once('error', reject);
      asked.once('response', answer => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => {
          const { statusCode: status = 0, headers } = answer;
          resolve({ status, headers, text, body: text === '' ? {} : (JSON.parse(text) as Record<string, never>) });
        });
      });
    });
  }

  /** Sends a request without waiting for its response. Returns a function that closes the connection. */
  send(method: string, path: string, options: RequestOptions = {}): () => void {
    const asked = this.#open(method, path, options);
    asked.on('error', () => undefined);
    return () => void asked.destroy();
  }

  async login(body: { readonly code: string } | { readonly pass: string }): Promise<TechnicianAnswer> {
    const answer = await this.ask('POST', '/login', { body });
    if (answer.status === 200) this.token = answer.body['token']!;
    return answer;
  }

  /** The messages of the live stream so far; grows until `stop`. */
  live(): Promise<{ readonly messages: Record<string, unknown>[]; readonly ended: Promise<void>; stop(): void }> {
    return new Promise((resolve, reject) => {
      const asked = this.#open('GET', '/live', {});
      asked.once('error', reject);
      asked.once('response', answer => {
        if (answer.statusCode !== 200) return reject(new Error(`live: ${answer.statusCode}`));
        const messages: Record<string, unknown>[] = [];
        let rest = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          const blocks = (rest + chunk).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) {
            const data = /^data: (.*)$/m.exec(block)?.[1];
            if (data !== undefined) messages.push(JSON.parse(data) as Record<string, unknown>);
          }
        });
        const ended = new Promise<void>(done => {
          answer.once('close', () => done());
        });
        return resolve({ messages, ended, stop: () => asked.destroy() });
      });
    });
  }
}
