import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { TlsOptions } from 'node:tls';
import { createConnectionCloser } from '@lintel/broker/connection-closer';
import type { AcmeChallengeResponses } from '../acme/acme-challenge-responses.ts';
import { createAcmeAlpnSelector } from '../acme/challenge-listener.ts';
import { connectionTimeouts, IDLE_TIMEOUT_MS } from '../http/connection-timeouts.ts';
import type { Bridge } from '../main.ts';
import type { KeyAndCertificate } from '../tls/certificate-authority.ts';

export interface HttpsListener {
  readonly server: Server;
  readonly port: number;
  /** For new connections; open ones continue. */
  useCertificate(next: KeyAndCertificate): void;
  close(): Promise<void>;
}

/** Serves the application over TLS, in addition to plain HTTP. */
export const serveHttps = async (
  bridge: Bridge,
  host: string,
  port: number,
  identity: KeyAndCertificate,
  challenges: AcmeChallengeResponses | null,
): Promise<HttpsListener> => {
  const { app, metrics } = bridge;
  await app.ready();
  const alpn: TlsOptions = challenges === null ? {} : { ALPNCallback: createAcmeAlpnSelector(challenges) };
  const certificate = { key: identity.key, cert: identity.certificate };
  const timeouts = { ...connectionTimeouts, handshakeTimeout: connectionTimeouts.headersTimeout };
  const server = createServer({ ...certificate, ...alpn, ...timeouts }, (request, response) => {
    app.routing(request, response);
  });
  server.setTimeout(IDLE_TIMEOUT_MS);
  bridge.limitConnections(server);
  const closeConnections = createConnectionCloser(server);
  server.on('upgrade', (request, socket, head) => app.server.emit('upgrade', request, socket, head));
  server.listen(port, host);
  await once(server, 'listening');
  const reportExpiry = ({ certificate }: KeyAndCertificate): void =>
    metrics.setCertificateExpiry('https', new X509Certificate(certificate).validToDate);
  reportExpiry(identity);
  return {
    server,
    port: (server.address() as { port: number }).port,
    useCertificate: next => {
      server.setSecureContext({ key: next.key, cert: next.certificate });
      reportExpiry(next);
    },
    close: async () => {
      server.close();
      closeConnections();
    },
  };
};
