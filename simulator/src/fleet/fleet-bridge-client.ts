import { Agent as PlainAgent, type IncomingMessage, request as requestPlain } from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { getUrlHost } from '@lintel/device-link/tls/loopback-address';
import { openTlsSocket } from '@lintel/device-link/tls/open-socket';
import { findServerCertificateProblem, readPresentedCertificates } from '@lintel/crypto/tls/certificate-chain';

const TOO_MANY_REQUESTS = 429;
const MAX_SOCKETS = 16;
const TIMEOUT_MS = 30_000;

/** The bridge rejected a request. The message contains its response. */
export class FleetBridgeError extends Error {
  override readonly name = 'FleetBridgeError';
}

interface Page<T> {
  readonly data: readonly T[];
  readonly cursor_next?: string;
}

interface HttpReply {
  readonly status: number;
  readonly retryAfter: number;
  readonly text: string;
}

const readReply = async (message: IncomingMessage): Promise<HttpReply> => {
  const parts: Buffer[] = [];
  for await (const part of message as AsyncIterable<Buffer>) parts.push(part);
  const retryAfter = Number(message.headers['retry-after'] ?? 1);
  return { status: message.statusCode ?? 0, retryAfter, text: Buffer.concat(parts).toString('utf8') };
};

/** The certificate chain of the bridge. Throws unless it contains the certificate with this fingerprint. */
const pinnedChain = async (url: URL, fingerprint: string): Promise<string[]> => {
  const host = getUrlHost(url);
  const port = url.port === '' ? 443 : Number(url.port);
  let chain: string[] = [];
  const socket = await openTlsSocket({
    host,
    port,
    timeoutMs: TIMEOUT_MS,
    rejectionReason: tlsSocket => {
      const certificates = readPresentedCertificates(tlsSocket);
      chain = certificates.map(String);
      return findServerCertificateProblem(certificates, { host, now: Date.now(), fingerprint });
    },
  });
  socket.destroy();
  return chain;
};

/** A client for the bridge's API. It retries requests that exceed the rate limit. */
export class FleetBridgeClient {
  readonly #url: URL;
  readonly #token: string;
  readonly #agent: PlainAgent;

  private constructor(url: URL, token: string, agent: PlainAgent) {
    this.#url = url;
    this.#token = token;
    this.#agent = agent;
  }

  /** `fingerprint`: of a bridge with its own certificate authority. */
  static async open(bridgeUrl: string, token: string, fingerprint: string | null): Promise<FleetBridgeClient> {
    const url = new URL(bridgeUrl);
    const pool = { keepAlive: true, maxSockets: MAX_SOCKETS };
    if (url.protocol === 'http:') return new FleetBridgeClient(url, token, new PlainAgent(pool));
    const ca = fingerprint === null ? [] : await pinnedChain(url, fingerprint);
    const trust = ca.length === 0 ? {} : { ca, allowPartialTrustChain: true };
    return new FleetBridgeClient(url, token, new TlsAgent({ ...pool, ...trust }));
  }

  #exchange(method: string, path: string, body: string | null): Promise<HttpReply> {
    const request = this.#url.protocol === 'http:' ? requestPlain : requestTls;
    const base = this.#url.href.endsWith('/') ? this.#url.href.slice(0, -1) : this.#url.href;
    const headers = {
      ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(
        `${base}${path}`,
        { method, agent: this.#agent, headers, timeout: TIMEOUT_MS },
        message => {
          readReply(message).then(resolve, reject);
        },
      );
      outgoing.once('timeout', () => outgoing.destroy(new Error('The bridge does not respond')));
      outgoing.once('error', reject);
      outgoing.end(body ?? undefined);
    });
  }

  async call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    for (;;) {
      const { status, retryAfter, text } = await this.#exchange(
        method,
        path,
        body === undefined ? null : JSON.stringify(body),
      );
      if (status === 200) return JSON.parse(text) as T;
      if (status !== TOO_MANY_REQUESTS)
        throw new FleetBridgeError(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
      // A random delay keeps concurrent requests from retrying at the same time.
      await delay(retryAfter * 1000 * (0.5 + Math.random()));
    }
  }

  /** All objects of a list, page by page. */
  async *list<T>(path: string): AsyncGenerator<T> {
    const separator = path.includes('?') ? '&' : '?';
    let cursor: string | undefined;
    do {
      const from: string = cursor === undefined ? '' : `${separator}cursor=${encodeURIComponent(cursor)}`;
      const page: Page<T> = await this.call('GET', `${path}${from}`);
      yield* page.data;
      cursor = page.cursor_next;
    } while (cursor !== undefined);
  }

  close(): void {
    this.#agent.destroy();
  }
}
