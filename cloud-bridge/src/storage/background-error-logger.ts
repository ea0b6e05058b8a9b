import { formatConnectionError } from '@lintel/service/connections/outage-log';
import type { FastifyBaseLogger } from 'fastify';
import { DatabaseUnavailableError, isStorageFailingError, isStorageFullError } from './database-error.ts';

/** Logs errors of background work. An outage of the database is not logged here: the storage monitor logs it once. */
export const createBackgroundErrorLogger =
  (log: Pick<FastifyBaseLogger, 'error'>, message: string) =>
  (error: unknown): void => {
    if (error instanceof DatabaseUnavailableError || isStorageFullError(error) || isStorageFailingError(error)) return;
    log.error({ reason: formatConnectionError(error) }, message);
  };
