import type { FastifyBaseLogger } from 'fastify';
import { deleteExpiredAttempts } from '../accounts/shared-attempt-throttle.ts';
import { deleteExpiredQuotaCounts } from '../http/shared-quota.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { RequestCountExchange } from '../http/request-count-exchange-between-bridges.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { createBackgroundErrorLogger } from '../storage/background-error-logger.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import type { ReleaseStore } from '../updates/release-store.ts';

export const SHARED_KEY_POLL_MS = 1000;
const REQUEST_COUNT_MS = 1000;
const CLEAN_UP_MS = 3_600_000;

interface SharedStateDependencies {
  readonly services: BridgeServices & { pullKeys(): Promise<void> };
  readonly releases: ReleaseStore;
  readonly rateLimiter: RateLimiter;
  readonly log: FastifyBaseLogger;
}

/** Keeps what several bridges share up to date, and deletes what has expired. */
export const startSharedStateTasks = ({ services, releases, rateLimiter, log }: SharedStateDependencies) => {
  const { storage, clock } = services;
  const requestCounts = new RequestCountExchange(storage, rateLimiter, clock);
  const cleanUp = async (): Promise<void> => {
    await releases.deleteExpiredUploads();
    await deleteExpiredAttempts(storage, clock());
    await deleteExpiredQuotaCounts(storage, clock());
  };
  const tasks = [
    new PeriodicTask(cleanUp, CLEAN_UP_MS, createBackgroundErrorLogger(log, 'Deleting expired uploads failed')),
  ];
  if (storage.engine === 'postgres') {
    const onKeyError = createBackgroundErrorLogger(log, 'Reading shared keys failed');
    const onCountError = createBackgroundErrorLogger(log, 'Sharing rate limits failed');
    tasks.push(
      new PeriodicTask(() => services.pullKeys(), SHARED_KEY_POLL_MS, onKeyError),
      new PeriodicTask(() => requestCounts.exchange(), REQUEST_COUNT_MS, onCountError),
    );
  }
  for (const task of tasks) task.start();
  return { stop: () => Promise.all(tasks.map(task => task.stop())) };
};
