import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { hostOf, isLoopback } from '../tls/loopback.ts';
import { openPlainSocket, openTlsSocket, type SocketTarget, UntrustedServer } from '../tls/open-socket.ts';
import { openTunnel } from '../tls/proxy-tunnel.ts';
import { judgeServer, presentedChain } from '@lintel/crypto/tls/server-chain';
import { ClaimFailure } from './claim-failure.ts';

export interface BridgeTrust {
  /** SHA-256 of a certificate in the chain of the bridge's HTTPS. */
  readonly fingerprint: string | null;
  /** In PEM. */
  readonly authority: string | null;
  /** Whether the authorities that this system trusts are good enough where neither fits. */
  readonly bySystem: boolean;
}

export interface PostTerms {
  readonly trust: BridgeTrust;
  /** Kept time. */
  readonly now: number;
  readonly timeoutMs?: number;
  /** Tried in turn where the bridge is not to be reached directly: what a gateway offers to who has no route. */
  readonly proxies?: readonly string[];
  /** Given up at once when it says so. */
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 20_000;
const LONGEST_ANSWER = 256 * 1024;
const REQUEST_TIMEOUT = 408;
const TOO_MANY = 429;

const objectionTo = (socket: TLSSocket, host: string, { trust, now }: PostTerms): string | null => {
  const { fingerprint, authority, bySystem } = trust;
  const isPinned = fingerprint !== null || authority !== null;
  const objection = isPinned
    ? judgeServer(presentedChain(socket), { host, now, authority, fingerprint, mayBeGateway: false })
    : 'its certificate is from no authority that this system knows, and no fingerprint was given to compare';
  if (objection === null || (bySystem && socket.authorized)) return null;
  return !isPinned && isLoopback(host) ? null : objection;
};

/** Directly, or through whoever offers a way. With the one as with the other it is the bridge that has to prove itself. */
const tlsLineTo = async (target: SocketTarget, terms: PostTerms): Promise<Socket> => {
  const tls = { ...target, judge: (socket: TLSSocket) => objectionTo(socket, target.host, terms) };
  try {
    return await openTlsSocket(tls);
  } catch (error) {
    for (const proxy of terms.proxies ?? []) {
      try {
        return await openTlsSocket({ ...tls, through: await openTunnel(proxy, target) });
      } catch {
        // The next one may lead there; if none does, it counts why the bridge itself was not to be reached.
      }
    }
    throw error;
  }
};

export const refuseStrangerWithoutTls = (address: URL): void => {
  if (address.protocol === 'https:' || (address.protocol === 'http:' && isLoopback(hostOf(address)))) return;
  throw new ClaimFailure(`${address.origin} is not https: without TLS a bridge is believed on this machine only`, true);
};

/** A connection to the bridge, once it has proven itself. */
export const lineTo = (address: URL, terms: PostTerms): Promise<Socket> => {
  const host = hostOf(address);
  const isTls = address.protocol === 'https:';
  const port = address.port === '' ? (isTls ? 443 : 80) : Number(address.port);
  const target = { host, port, timeoutMs: terms.timeoutMs ?? TIMEOUT_MS, signal: terms.signal };
  refuseStrangerWithoutTls(address);
  return isTls ? tlsLineTo(target, terms) : openPlainSocket(target);
};

const textOf = async (answer: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > LONGEST_ANSWER) throw new Error('the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

interface Answer {
  readonly status: number;
  readonly text: string;
}

const exchange = (
  address: URL,
  socket: Socket,
  body: string,
  { timeoutMs = TIMEOUT_MS, signal }: PostTerms,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => socket.destroy(new Error('it does not answer')), timeoutMs);
    const giveUp = (): void => void socket.destroy(new Error('no longer wanted'));
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted === true) giveUp();
    const headers = {
      host: address.host,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const path = address.pathname;
    const sent = request({ method: 'POST', path, headers, createConnection: () => socket }, answer => {
      textOf(answer).then(text => resolve({ status: answer.statusCode ?? 0, text }), reject);
    });
    sent.once('error', reject);
    sent.once('close', () => {
      clearTimeout(late);
      signal?.removeEventListener('abort', giveUp);
    });
    sent.end(body);
  });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** An error in the API's form; anything else was not said by a bridge. */
const refusalOf = ({ status, text }: Answer, origin: string): ClaimFailure => {
  const body = parsed(text) as { readonly message?: unknown; readonly args?: { readonly field?: unknown } } | null;
  if (typeof body?.message !== 'string')
    return new ClaimFailure(`${origin} is no bridge: it answered ${status}`, false);
  const isFinal = status >= 400 && status < 500 && status !== TOO_MANY && status !== REQUEST_TIMEOUT;
  const { field } = body.args ?? {};
  return new ClaimFailure(body.message, isFinal, typeof field === 'string' ? field : null);
};

export const bridgeAddress = (bridgeUrl: string, path: string): URL => {
  const address = URL.parse(path, bridgeUrl.endsWith('/') ? bridgeUrl : `${bridgeUrl}/`);
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new ClaimFailure(`${bridgeUrl} is no address of a bridge, such as https://doors.example.com`, true);
  }
  return address;
};

/** The body of the bridge's answer. Throws a ClaimFailure, which never quotes what was sent. */
export const postToBridge = async (
  bridgeUrl: string,
  path: string,
  body: object,
  terms: PostTerms,
): Promise<unknown> => {
  const address = bridgeAddress(bridgeUrl, path);
  let answer: Answer;
  try {
    const socket = await lineTo(address, terms);
    answer = await exchange(address, socket, JSON.stringify(body), terms);
  } catch (error) {
    if (error instanceof ClaimFailure) throw error;
    // Not for good: a hotel's login page answers in anybody's name until somebody has signed in there.
    if (error instanceof UntrustedServer)
      throw new ClaimFailure(error.message, false, 'ca_fingerprint', { cause: error });
    const why = (error as Error).message || (error as NodeJS.ErrnoException).code || 'no connection';
    throw new ClaimFailure(`The bridge at ${address.origin} cannot be reached: ${why}`, false, null, { cause: error });
  }
  if (answer.status !== 200) throw refusalOf(answer, address.origin);
  return parsed(answer.text);
};
