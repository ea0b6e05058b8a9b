import type { Socket } from 'node:net';
import { getUrlHost, isLoopbackAddress } from '@lintel/device-link/tls/loopback-address';
import { openPlainSocket, openTlsSocket } from '@lintel/device-link/tls/open-socket';
import { findServerCertificateProblem, readPresentedCertificates } from '@lintel/crypto/tls/certificate-chain';

const TIMEOUT_MS = 30_000;
const PLAIN_PORT = 1883;
const TLS_PORT = 8883;

interface DeviceCredentials {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
}

/** Opens connections from controllers to their broker. */
export interface FleetBrokerConnector {
  /** Without TLS, controllers authenticate with a password instead of a certificate. */
  readonly isPlain: boolean;
  readonly connect: (device: DeviceCredentials) => Promise<Socket>;
}

/** `authority`: CA certificate of the bridge, PEM. Throws for an address that controllers do not accept. */
export const createFleetBrokerConnector = (
  brokerUrl: string,
  authority: string,
  gatewayOrganization: string,
): FleetBrokerConnector => {
  const url = new URL(brokerUrl);
  const host = getUrlHost(url);
  const isPlain = url.protocol === 'mqtt:';
  if (!isPlain && url.protocol !== 'mqtts:')
    throw new Error(`Not a broker address: ${brokerUrl}. Use mqtt:// or mqtts://`);
  if (isPlain && !isLoopbackAddress(host))
    throw new Error(`A broker on another machine requires TLS: ${brokerUrl}. Use mqtts://`);
  const target = {
    host,
    port: url.port === '' ? (isPlain ? PLAIN_PORT : TLS_PORT) : Number(url.port),
    timeoutMs: TIMEOUT_MS,
  };
  if (isPlain) return { isPlain, connect: () => openPlainSocket(target) };
  const connect = ({ key, certificate }: DeviceCredentials): Promise<Socket> =>
    openTlsSocket({
      ...target,
      clientCertificate: { key, certificate },
      rejectionReason: socket =>
        findServerCertificateProblem(readPresentedCertificates(socket), {
          host,
          now: Date.now(),
          authority,
          gatewayOrganization,
        }),
    });
  return { isPlain, connect };
};
