import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { findServerCertificateProblem, readPresentedCertificates } from '@lintel/crypto/tls/certificate-chain';
import { getUrlHost, isLoopbackAddress } from '../tls/loopback-address.ts';
import { openPlainSocket, openTlsSocket, type SocketConnectOptions } from '../tls/open-socket.ts';
import { openProxyTunnel } from '../tls/proxy-tunnel.ts';
import { requireTlsUnlessLoopback } from './bridge-url.ts';

interface BridgeTrust {
  /** SHA-256 of a certificate in the bridge's HTTPS chain. */
  readonly fingerprint: string | null;
  /** In PEM. */
  readonly authority: string | null;
  /** Whether the certificate authorities of the system are trusted, too. */
  readonly bySystem: boolean;
}

export interface BridgeHttpOptions {
  readonly trust: BridgeTrust;
  /** Trusted time. */
  readonly now: number;
  /** For the connection, and again for the response. */
  readonly timeoutMs?: number;
  /** Proxies of gateways, tried in turn when the bridge cannot be reached directly. */
  readonly proxies?: readonly string[];
  /** Ends the request at once. */
  readonly signal?: AbortSignal;
}

export const BRIDGE_REQUEST_TIMEOUT_MS = 20_000;

const rejectionReasonOf = (socket: TLSSocket, host: string, { trust, now }: BridgeHttpOptions): string | null => {
  const { fingerprint, authority, bySystem } = trust;
  const isPinned = fingerprint !== null || authority !== null;
  const reason = isPinned
    ? findServerCertificateProblem(readPresentedCertificates(socket), { host, now, authority, fingerprint })
    : 'its certificate is from an unknown authority, and no fingerprint was specified';
  if (reason === null || (bySystem && socket.authorized)) return null;
  return !isPinned && isLoopbackAddress(host) ? null : reason;
};

/** Connects directly or through a proxy. The certificate of the bridge is checked in both cases. */
const openTlsConnection = async (target: SocketConnectOptions, options: BridgeHttpOptions): Promise<Socket> => {
  const tls = { ...target, rejectionReason: (socket: TLSSocket) => rejectionReasonOf(socket, target.host, options) };
  try {
    return await openTlsSocket(tls);
  } catch (error) {
    for (const proxy of options.proxies ?? []) {
      try {
        return await openTlsSocket({ ...tls, tunnel: await openProxyTunnel(proxy, target) });
      } catch {
        // If all proxies fail, the error of the direct connection is reported.
      }
    }
    throw error;
  }
};

/** Opens a connection to the bridge and checks its certificate. */
export const openBridgeConnection = (address: URL, options: BridgeHttpOptions): Promise<Socket> => {
  const host = getUrlHost(address);
  const isTls = address.protocol === 'https:';
  const port = address.port === '' ? (isTls ? 443 : 80) : Number(address.port);
  const target = { host, port, timeoutMs: options.timeoutMs ?? BRIDGE_REQUEST_TIMEOUT_MS, signal: options.signal };
  requireTlsUnlessLoopback(address);
  return isTls ? openTlsConnection(target, options) : openPlainSocket(target);
};
