import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { TlsOptions } from 'node:tls';
import { createConnectionCloser } from '@lintel/broker/connection-closer';
import type pino from 'pino';
import { AcmeCertificateManager } from '../acme/acme-certificate-manager.ts';
import type { AcmeChallengeResponses } from '../acme/acme-challenge-responses.ts';
import { createFileAcmeStateStore, createSharedAcmeStateStore } from '../acme/acme-state-store.ts';
import { createAcmeAlpnSelector, listenForAcmeChallenges } from '../acme/challenge-listener.ts';
import type { Bridge } from '../main.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import type { KeyAndCertificate } from '../tls/certificate-authority.ts';
import type { BridgeCommandOptions } from './bridge-options.ts';

const CERTIFICATE_CHECK_MS = 60_000;
const SHARED_STATE_CHECK_MS = 1000;

type CloseTasks = Array<() => Promise<unknown>>;

export interface HttpsListener {
  readonly server: Server;
  readonly port: number;
  /** For new connections; open ones continue. */
  useCertificate(next: KeyAndCertificate): void;
  close(): Promise<void>;
}

/** Serves the application over TLS, in addition to plain HTTP. */
export const serveHttps = async (
  { app, metrics }: Bridge,
  host: string,
  port: number,
  identity: KeyAndCertificate,
  challenges: AcmeChallengeResponses | null,
): Promise<HttpsListener> => {
  await app.ready();
  const alpn: TlsOptions = challenges === null ? {} : { ALPNCallback: createAcmeAlpnSelector(challenges) };
  const server = createServer({ key: identity.key, cert: identity.certificate, ...alpn }, (request, response) => {
    app.routing(request, response);
  });
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

/** Loads the certificate files again after they have changed. Keeps the old certificate if they cannot be used. */
export const createCertificateReloadTask = <T extends KeyAndCertificate>(
  current: T,
  load: () => Promise<T>,
  use: (next: T) => void,
  logger: pino.Logger,
): PeriodicTask => {
  let used = current.certificate;
  const reload = async (): Promise<void> => {
    const next = await load();
    if (next.certificate === used) return;
    use(next);
    used = next.certificate;
    logger.info('Certificate files loaded again');
  };
  return new PeriodicTask(reload, CERTIFICATE_CHECK_MS, error =>
    logger.error({ why: (error as Error).message }, 'Certificate files could not be loaded again'),
  );
};

/** Obtains the certificate of the listener from an ACME server. Returns the address of the HTTP challenges, if any. */
export const startAcmeCertificateRenewal = async (
  bridge: Bridge,
  options: BridgeCommandOptions & { readonly acme: NonNullable<BridgeCommandOptions['acme']> },
  https: HttpsListener,
  challenges: AcmeChallengeResponses,
  logger: pino.Logger,
  closeTasks: CloseTasks,
): Promise<number | null> => {
  const { services, metrics } = bridge;
  const { acme } = options;
  const store =
    services.storage.engine === 'postgres'
      ? createSharedAcmeStateStore(services)
      : createFileAcmeStateStore(options.dataDir);
  const certificate = new AcmeCertificateManager(acme, {
    store,
    challenges,
    clock: services.clock,
    log: (level, message, facts) => logger[level](facts ?? {}, message),
    install: next => https.useCertificate(next),
    onFailure: () => metrics.countAcmeFailure(),
  });
  // A stored certificate serves from the first connection on.
  await certificate.refresh();
  let port: number | null = null;
  if (acme.httpPort !== null) {
    const server = await listenForAcmeChallenges(
      challenges,
      services.publicUrl,
      options.host ?? '127.0.0.1',
      acme.httpPort,
    );
    port = (server.address() as { port: number }).port;
    closeTasks.push(async () => {
      server.close();
      server.closeAllConnections();
    });
  }
  const onError = (error: unknown): void => logger.error({ err: error }, 'Checking the certificate failed');
  const tasks = [new PeriodicTask(() => certificate.renewIfDue(), CERTIFICATE_CHECK_MS, onError)];
  if (store.isShared) tasks.push(new PeriodicTask(() => certificate.refresh(), SHARED_STATE_CHECK_MS, onError));
  for (const task of tasks) task.start();
  closeTasks.push(async () => {
    certificate.stop();
    await Promise.all(tasks.map(task => task.stop()));
  });
  return port;
};
