import type { Socket } from 'node:net';
import { hostOf, isLoopback } from '@lintel/device-link/tls/loopback';
import { openPlainSocket, openTlsSocket } from '@lintel/device-link/tls/open-socket';
import { judgeServer, presentedChain } from '@lintel/crypto/tls/server-chain';

const TIMEOUT_MS = 30_000;
const PLAIN_PORT = 1883;
const TLS_PORT = 8883;

interface Caller {
  /** In PEM. */
  readonly key: string;
  readonly certificate: string;
}

/** How controllers reach their broker. */
export interface Dialing {
  /** Whether one says who one is by a password, because there is no certificate to show. */
  readonly isPlain: boolean;
  readonly dial: (caller: Caller) => Promise<Socket>;
}

/** `authority` is that of the bridge, in PEM. Throws for an address that no controller would use. */
export const dialingTo = (brokerUrl: string, authority: string): Dialing => {
  const url = new URL(brokerUrl);
  const host = hostOf(url);
  const isPlain = url.protocol === 'mqtt:';
  if (!isPlain && url.protocol !== 'mqtts:') throw new Error(`${brokerUrl} is no address of a broker`);
  if (isPlain && !isLoopback(host)) throw new Error(`${brokerUrl} is not mqtts: without TLS on this machine only`);
  const target = {
    host,
    port: url.port === '' ? (isPlain ? PLAIN_PORT : TLS_PORT) : Number(url.port),
    timeoutMs: TIMEOUT_MS,
  };
  if (isPlain) return { isPlain, dial: () => openPlainSocket(target) };
  const dial = ({ key, certificate }: Caller): Promise<Socket> =>
    openTlsSocket({
      ...target,
      own: { key, certificate },
      judge: socket => judgeServer(presentedChain(socket), { host, now: Date.now(), authority, mayBeGateway: true }),
    });
  return { isPlain, dial };
};
