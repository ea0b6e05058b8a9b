import type pino from 'pino';
import { AcmeCertificateManager } from '../acme/acme-certificate-manager.ts';
import type { AcmeChallengeResponses } from '../acme/acme-challenge-responses.ts';
import { createFileAcmeStateStore, createSharedAcmeStateStore } from '../acme/acme-state-store.ts';
import { listenForAcmeChallenges } from '../acme/challenge-listener.ts';
import type { Bridge } from '../main.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import type { BridgeCommandOptions } from './bridge-options.ts';
import type { HttpsListener } from './https-listener.ts';

const CERTIFICATE_CHECK_MS = 60_000;
const SHARED_STATE_CHECK_MS = 1000;

type CloseTasks = Array<() => Promise<unknown>>;

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
      server => bridge.limitConnections(server),
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
