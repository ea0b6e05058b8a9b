import type { Socket } from 'node:net';
import { signBrokerLoginProof } from '@lintel/wire-protocol/claiming/broker-login';
import { instant } from '@lintel/access-core/instant';
import type { DeviceKeys } from '../identity/device-keys.ts';
import type { DeviceEnrollment } from '../identity/device-enrollment.ts';
import { getUrlHost, isLoopbackAddress } from '../tls/loopback-address.ts';
import { openPlainSocket, openTlsSocket } from '../tls/open-socket.ts';
import { findServerCertificateProblem, readPresentedCertificates } from '@lintel/crypto/tls/certificate-chain';

export interface EnrollmentAndKeys {
  readonly enrollment: DeviceEnrollment;
  readonly keys: DeviceKeys;
}

export interface SocketToBroker {
  readonly socket: Socket;
  /** Login for a connection without a client certificate. */
  readonly login: { readonly username?: string; readonly password?: string };
}

const PORTS: Readonly<Record<string, number>> = { 'mqtts:': 8883, 'mqtt:': 1883 };

interface BrokerSocketOptions {
  readonly now: number;
  /** System clock, which both ends of a plain connection share. */
  readonly machineNow: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Opens a socket to a broker and checks its certificate. Nothing was sent yet. */
export const openBrokerSocket = async (
  url: string,
  { enrollment, keys }: EnrollmentAndKeys,
  { now, machineNow, timeoutMs, signal }: BrokerSocketOptions,
): Promise<SocketToBroker> => {
  const address = URL.parse(url);
  const defaultPort = address === null ? undefined : PORTS[address.protocol];
  if (address === null || defaultPort === undefined)
    throw new Error('invalid broker URL, use a URL such as mqtts://host:8883');
  const host = getUrlHost(address);
  const target = { host, port: address.port === '' ? defaultPort : Number(address.port), timeoutMs, signal };
  const {
    ca_certificate: authority,
    certificate,
    device_id,
    organization_id: gatewayOrganization,
    serial,
  } = enrollment;
  if (address.protocol === 'mqtts:') {
    const socket = await openTlsSocket({
      ...target,
      clientCertificate: { key: keys.privateKeyPem, certificate },
      rejectionReason: tlsSocket =>
        findServerCertificateProblem(readPresentedCertificates(tlsSocket), {
          host,
          now,
          authority,
          gatewayOrganization,
        }),
    });
    return { socket, login: {} };
  }
  if (!isLoopbackAddress(host))
    throw new Error('without TLS only a broker on this machine is allowed (mqtt://127.0.0.1)');
  const socket = await openPlainSocket(target);
  const password = signBrokerLoginProof({ v: 1, device_id, serial, at: instant(machineNow) }, bytes =>
    keys.sign(bytes),
  );
  return { socket, login: { username: device_id, password } };
};
