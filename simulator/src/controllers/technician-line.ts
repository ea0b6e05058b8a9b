import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { LiveHappening } from '@lintel/wire-protocol/technician/live';
import type { TLSSocket } from 'node:tls';

const PATIENCE_MS = 5000;
const LONGEST_ANSWER = 8 * 1024 * 1024;

export class TechnicianRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Login = { readonly code: string } | { readonly pass: string };

const wholeText = async (answer: IncomingMessage): Promise<string> => {
  let text = '';
  answer.setEncoding('utf8');
  for await (const chunk of answer as AsyncIterable<string>) {
    text += chunk;
    if (text.length > LONGEST_ANSWER) throw new Error('the controller does not come to an end');
  }
  return text;
};

/** The technician's interface of one controller, known by the fingerprint on its label. */
export class TechnicianLine {
  readonly #url: string;
  readonly #fingerprint: string;
  readonly #agent = new Agent({ rejectUnauthorized: false, keepAlive: true, maxSockets: 2 });
  #token: string | null = null;

  constructor(url: string, fingerprint: string) {
    this.#url = url;
    this.#fingerprint = fingerprint;
  }

  #open(method: string, path: string, body: unknown, agent: Agent): Promise<IncomingMessage> {
    const headers = {
      ...(this.#token === null ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    return new Promise((resolve, reject) => {
      const asked = request(`${this.#url}/technician/v1/${path}`, {
        method,
        headers,
        agent,
        rejectUnauthorized: false,
      });
      asked.once('socket', socket => {
        const fingerprint = (): string | undefined => (socket as TLSSocket).getPeerCertificate().fingerprint256;
        const check = (): void => {
          if (fingerprint() !== this.#fingerprint) asked.destroy(new Error('this is another controller'));
        };
        // A socket that is connected but still in the TLS handshake has no certificate yet.
        if (socket.connecting || fingerprint() === undefined) socket.once('secureConnect', check);
        else check();
      });
      asked.setTimeout(PATIENCE_MS, () => asked.destroy(new Error('the controller does not answer')));
      asked.once('error', reject);
      asked.once('response', resolve);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const answer = await this.#open(method, path, body, this.#agent);
    const text = await wholeText(answer);
    const { statusCode = 0 } = answer;
    if (statusCode >= 300) throw new TechnicianRefusal(statusCode, `${method} ${path}: ${statusCode} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as T;
  }

  async login(login: Login): Promise<void> {
    this.#token = null;
    this.#token = (await this.ask<{ token: string }>('POST', 'login', login)).token;
  }

  /** Tells what happens at the door until the line ends; answers what ends it from here. */
  async live(tell: (happening: LiveHappening) => void, ended: () => void): Promise<() => void> {
    const answer = await this.#open('GET', 'live', undefined, new Agent({ rejectUnauthorized: false }));
    if (answer.statusCode !== 200) {
      answer.destroy();
      throw new TechnicianRefusal(answer.statusCode ?? 0, `live: ${answer.statusCode}`);
    }
    answer.socket.setTimeout(0);
    let rest = '';
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) tell(JSON.parse(data) as LiveHappening);
      }
    });
    answer.on('error', () => undefined);
    answer.once('close', ended);
    return () => answer.destroy();
  }

  close(): void {
    this.#agent.destroy();
  }
}
