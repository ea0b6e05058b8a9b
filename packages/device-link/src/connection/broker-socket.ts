import type { Socket } from 'node:net';
import { encodeBrokerLogin } from '@lintel/wire-protocol/claiming/broker-login';
import { instant } from '@lintel/access-core/instant';
import type { DeviceKeys } from '../identity/device-keys.ts';
import type { Membership } from '../identity/membership.ts';
import { hostOf, isLoopback } from '../tls/loopback.ts';
import { openPlainSocket, openTlsSocket } from '../tls/open-socket.ts';
import { judgeServer, presentedChain } from '@lintel/crypto/tls/server-chain';

export interface ConnectingIdentity {
  readonly membership: Membership;
  readonly keys: DeviceKeys;
}

export interface BrokerLine {
  readonly socket: Socket;
  /** Where the certificate does not say it. */
  readonly login: { readonly username?: string; readonly password?: string };
}

const PORTS: Readonly<Record<string, number>> = { 'mqtts:': 8883, 'mqtt:': 1883 };

interface LineTerms {
  readonly now: number;
  /** Of the clock that both ends of a plain line share. */
  readonly machineNow: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A socket to a broker that has proven who it is; nothing has been said to it yet. */
export const openBrokerSocket = async (
  url: string,
  { membership, keys }: ConnectingIdentity,
  { now, machineNow, timeoutMs, signal }: LineTerms,
): Promise<BrokerLine> => {
  const address = URL.parse(url);
  const usual = address === null ? undefined : PORTS[address.protocol];
  if (address === null || usual === undefined) throw new Error('a broker has an address such as mqtts://host:8883');
  const host = hostOf(address);
  const target = { host, port: address.port === '' ? usual : Number(address.port), timeoutMs, signal };
  const { ca_certificate: authority, certificate, device_id, serial } = membership;
  if (address.protocol === 'mqtts:') {
    const socket = await openTlsSocket({
      ...target,
      own: { key: keys.privateKeyPem, certificate },
      judge: line => judgeServer(presentedChain(line), { host, now, authority, mayBeGateway: true }),
    });
    return { socket, login: {} };
  }
  if (!isLoopback(host)) throw new Error('without TLS a broker is believed on this machine only (mqtt://127.0.0.1)');
  const socket = await openPlainSocket(target);
  const password = encodeBrokerLogin({ v: 1, device_id, serial, at: instant(machineNow) }, bytes => keys.sign(bytes));
  return { socket, login: { username: device_id, password } };
};
