import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';

export interface TechnicianAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, never>;
}

interface Told {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A phone on the network of a controller: real HTTPS, and a certificate that it takes as it is. */
export class TechnicianClient {
  readonly #url: URL;
  token: string | null = null;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  #open(method: string, path: string, { headers, body }: Told) {
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

  ask(method: string, path: string, told: Told = {}): Promise<TechnicianAnswer> {
    return new Promise((resolve, reject) => {
      const asked = this.#open(method, path, told);
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

  /** A question whose answer nobody waits for: whoever asked it leaves. */
  asking(method: string, path: string, body: object): { leave(): void } {
    const asked = this.#open(method, path, { body });
    asked.on('error', () => undefined);
    return { leave: () => void asked.destroy() };
  }

  /** Asks and does not wait for the answer; what it returns hangs up. */
  leave(method: string, path: string, told: Told = {}): () => void {
    const asked = this.#open(method, path, told);
    asked.once('error', () => undefined);
    return () => asked.destroy();
  }

  async login(body: { readonly code: string } | { readonly pass: string }): Promise<TechnicianAnswer> {
    const answer = await this.ask('POST', '/login', { body });
    if (answer.status === 200) this.token = answer.body['token']!;
    return answer;
  }

  /** What the live view has said so far; grows until `stop`. */
  live(): Promise<{ readonly said: Record<string, unknown>[]; readonly ended: Promise<void>; stop(): void }> {
    return new Promise((resolve, reject) => {
      const asked = this.#open('GET', '/live', {});
      asked.once('error', reject);
      asked.once('response', answer => {
        if (answer.statusCode !== 200) return reject(new Error(`live: ${answer.statusCode}`));
        const said: Record<string, unknown>[] = [];
        let rest = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          const blocks = (rest + chunk).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) {
            const data = /^data: (.*)$/m.exec(block)?.[1];
            if (data !== undefined) said.push(JSON.parse(data) as Record<string, unknown>);
          }
        });
        const ended = new Promise<void>(done => {
          answer.once('close', () => done());
        });
        return resolve({ said, ended, stop: () => asked.destroy() });
      });
    });
  }
}
