import type pino from 'pino';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import type { KeyAndCertificate } from '../tls/certificate-authority.ts';

const CERTIFICATE_CHECK_MS = 60_000;

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
