import { Agent as PlainAgent, type IncomingMessage, request as requestPlain } from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { hostOf } from '@lintel/device-link/tls/loopback';
import { openTlsSocket } from '@lintel/device-link/tls/open-socket';
import { judgeServer, presentedChain } from '@lintel/crypto/tls/server-chain';

const TOO_MANY = 429;
const MOST_LINES = 16;
const TIMEOUT_MS = 30_000;

/** The bridge says no, in its own words. */
export class FleetBridgeError extends Error {
  override readonly name = 'FleetBridgeError';
}

interface Page<T> {
  readonly data: readonly T[];
  readonly cursor_next?: string;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: number;
  readonly text: string;
}

const answerOf = async (message: IncomingMessage): Promise<Answer> => {
  const parts: Buffer[] = [];
  for await (const part of message as AsyncIterable<Buffer>) parts.push(part);
  const retryAfter = Number(message.headers['retry-after'] ?? 1);
  return { status: message.statusCode ?? 0, retryAfter, text: Buffer.concat(parts).toString('utf8') };
};

/** The certificates that the bridge shows, when the one with this fingerprint is among them. */
const pinnedChain = async (url: URL, fingerprint: string): Promise<string[]> => {
  const host = hostOf(url);
  const port = url.port === '' ? 443 : Number(url.port);
  let chain: string[] = [];
  const socket = await openTlsSocket({
    host,
    port,
    timeoutMs: TIMEOUT_MS,
    judge: shown => {
      const certificates = presentedChain(shown);
      chain = certificates.map(String);
      return judgeServer(certificates, { host, now: Date.now(), fingerprint, mayBeGateway: false });
    },
  });
  socket.destroy();
  return chain;
};

/** The bridge's API for whoever has a token. When the bridge asks for patience, it gets it. */
export class BridgeClient {
  readonly #url: URL;
  readonly #token: string;
  readonly #agent: PlainAgent;

  private constructor(url: URL, token: string, agent: PlainAgent) {
    this.#url = url;
    this.#token = token;
    this.#agent = agent;
  }

  /** `fingerprint`: of a bridge that is its own authority. */
  static async open(bridgeUrl: string, token: string, fingerprint: string | null): Promise<BridgeClient> {
    const url = new URL(bridgeUrl);
    const lines = { keepAlive: true, maxSockets: MOST_LINES };
    if (url.protocol === 'http:') return new BridgeClient(url, token, new PlainAgent(lines));
    const ca = fingerprint === null ? [] : await pinnedChain(url, fingerprint);
    const trust = ca.length === 0 ? {} : { ca, allowPartialTrustChain: true };
    return new BridgeClient(url, token, new TlsAgent({ ...lines, ...trust }));
  }

  #exchange(method: string, path: string, body: string | null): Promise<Answer> {
    const request = this.#url.protocol === 'http:' ? requestPlain : requestTls;
    const base = this.#url.href.endsWith('/') ? this.#url.href.slice(0, -1) : this.#url.href;
    const headers = {
      ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${base}${path}`, { method, agent: this.#agent, headers, timeout: TIMEOUT_MS }, message => {
        answerOf(message).then(resolve, reject);
      });
      sent.once('timeout', () => sent.destroy(new Error('it does not answer')));
      sent.once('error', reject);
      sent.end(body ?? undefined);
    });
  }

  /** The text of a page that is no API, or null. */
  async page(path: string): Promise<string | null> {
    const { status, text } = await this.#exchange('GET', path, null);
    return status === 200 ? text : null;
  }

  async call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    for (;;) {
      const { status, retryAfter, text } = await this.#exchange(
        method,
        path,
        body === undefined ? null : JSON.stringify(body),
      );
      if (status === 200) return JSON.parse(text) as T;
      if (status !== TOO_MANY) throw new FleetBridgeError(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
      // Those who were sent away together do not come back together.
      await delay(retryAfter * 1000 * (0.5 + Math.random()));
    }
  }

  /** Every object of a list, page after page. */
  async *list<T>(path: string): AsyncGenerator<T> {
    const joint = path.includes('?') ? '&' : '?';
    let cursor: string | undefined;
    do {
      const from: string = cursor === undefined ? '' : `${joint}cursor=${encodeURIComponent(cursor)}`;
      const page: Page<T> = await this.call('GET', `${path}${from}`);
      yield* page.data;
      cursor = page.cursor_next;
    } while (cursor !== undefined);
  }

  close(): void {
    this.#agent.destroy();
  }
}
