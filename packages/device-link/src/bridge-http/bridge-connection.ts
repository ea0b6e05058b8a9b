import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { judgeServer, presentedChain } from '@lintel/crypto/tls/server-chain';
import { hostOf, isLoopback } from '../tls/loopback.ts';
import { openPlainSocket, openTlsSocket, type SocketTarget } from '../tls/open-socket.ts';
import { openTunnel } from '../tls/proxy-tunnel.ts';
import { refuseStrangerWithoutTls } from './bridge-address.ts';

interface BridgeTrust {
  /** SHA-256 of a certificate in the chain of the bridge's HTTPS. */
  readonly fingerprint: string | null;
  /** In PEM. */
  readonly authority: string | null;
  /** Whether the authorities that this system trusts are good enough where neither fits. */
  readonly bySystem: boolean;
}

export interface BridgeHttpOptions {
  readonly trust: BridgeTrust;
  /** Kept time. */
  readonly now: number;
  /** To connect, and again for the response. */
  readonly timeoutMs?: number;
  /** Tried in turn where the bridge cannot be reached directly: a gateway offers one to devices without a route. */
  readonly proxies?: readonly string[];
  /** Ends the request at once. */
  readonly signal?: AbortSignal;
}

export const TIMEOUT_MS = 20_000;

const objectionTo = (socket: TLSSocket, host: string, { trust, now }: BridgeHttpOptions): string | null => {
  const { fingerprint, authority, bySystem } = trust;
  const isPinned = fingerprint !== null || authority !== null;
  const objection = isPinned
    ? judgeServer(presentedChain(socket), { host, now, authority, fingerprint, mayBeGateway: false })
    : 'its certificate is from no authority that this system knows, and no fingerprint was given to compare';
  if (objection === null || (bySystem && socket.authorized)) return null;
  return !isPinned && isLoopback(host) ? null : objection;
};

/** Directly, or through whoever offers a way. With the one as with the other it is the bridge that has to prove itself. */
const openTlsConnection = async (target: SocketTarget, terms: BridgeHttpOptions): Promise<Socket> => {
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

/** A connection to the bridge, once it has proven itself. */
export const openBridgeConnection = (address: URL, options: BridgeHttpOptions): Promise<Socket> => {
  const host = hostOf(address);
  const isTls = address.protocol === 'https:';
  const port = address.port === '' ? (isTls ? 443 : 80) : Number(address.port);
  const target = { host, port, timeoutMs: options.timeoutMs ?? TIMEOUT_MS, signal: options.signal };
  refuseStrangerWithoutTls(address);
  return isTls ? openTlsConnection(target, options) : openPlainSocket(target);
};
