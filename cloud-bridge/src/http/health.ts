import { getErrorCode } from '@lintel/service/error-code';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { BackupMetricsSource } from '../metrics/backup-metrics.ts';
import { isStorageFailingError, isStorageFullError } from '../storage/database-error.ts';
import type { Storage } from '../storage/open-storage.ts';

export interface HealthSources {
  readonly storage: Storage;
  /** Null without scheduled backups. */
  readonly backups: BackupMetricsSource | null;
}

/** `dependency` is what is missing. */
const notReady = (dependency: string, message: string) => ({ type: 'not_ready', message, args: { dependency } });

const describeOutage = (error: unknown) => {
  if (isStorageFullError(error)) return notReady('disk', 'The disk of the database is full');
  if (isStorageFailingError(error))
    return notReady('disk', `The disk of the database fails (${getErrorCode(error)}). Check the log of the machine`);
  return notReady('database', 'The database is not reachable');
};

const backupDetails = (backups: BackupMetricsSource | null): object => {
  if (backups === null) return {};
  const { lastSuccessAt, failures } = backups.status;
  const last_success_at = lastSuccessAt === null ? null : new Date(lastSuccessAt).toISOString();
  return { backup: { last_success_at, failures_since_start: failures } };
};

/** `/healthz`: the process is running. `/readyz`: it can serve requests. A missing backup is a detail of its response. */
export const serveHealth = (app: FastifyInstance, { storage: { reader, monitor }, backups }: HealthSources): void => {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    if (isClosing) return reply.code(503).send(notReady('bridge', 'The bridge is stopping'));
    try {
      await sql`select 1`.execute(reader);
      await monitor.checkDisk();
      return { status: 'ok', ...backupDetails(backups) };
    } catch (error) {
      return reply.code(503).send(describeOutage(error));
    }
  });
};
