import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from '@lintel/service/timing/backoff';
import { DatabaseUnavailableError, isStorageOutageError } from './database-error.ts';

export type RetryDuringOutage = <T>(work: () => Promise<T>) => Promise<T>;

const RETRY = { firstMs: 250, longestMs: 5000 };

const isOutage = (error: unknown): boolean => error instanceof DatabaseUnavailableError || isStorageOutageError(error);

/** Repeats work that failed because the database or its disk was away, full or failing, until it is back. Gives up when `stopping` is aborted. */
export const createRetryDuringOutage =
  (stopping: AbortSignal): RetryDuringOutage =>
  async work => {
    const backoff = new Backoff(RETRY, Math.random);
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isOutage(error) || stopping.aborted) throw error;
        await delay(backoff.next(), undefined, { signal: stopping, ref: false }).catch(() => undefined);
      }
    }
  };
