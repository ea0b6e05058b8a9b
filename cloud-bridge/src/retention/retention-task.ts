import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { createBackgroundErrorLogger } from '../storage/background-error-logger.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import { TaskLease } from '../tasks/task-lease.ts';
import { applyRetention, type RetentionTableName } from './apply-retention.ts';

const INTERVAL_MS = 3_600_000;
const PAUSE_MS = 50;

interface RetentionMetrics {
  countRemovedRows(table: RetentionTableName, rows: number): void;
  setDefaultPartitionRows(rows: number): void;
}

/** Deletes expired events and delivery logs, and creates partitions for events. Any number of bridges may run it. */
export const startRetentionTask = (
  services: BridgeServices,
  log: FastifyBaseLogger,
  metrics: RetentionMetrics,
  intervalMs = INTERVAL_MS,
) => {
  const stopping = new AbortController();
  const lease = new TaskLease(services.storage, 'retention', services.clock);
  const work = () =>
    applyRetention({
      services,
      lease,
      pause: () => delay(PAUSE_MS),
      onRemoved: (table, organization_id, rows) => {
        log.info({ organization_id, table, rows }, 'Deleted records after their retention time');
        metrics.countRemovedRows(table, rows);
      },
      onDefaultPartition: rows => metrics.setDefaultPartitionRows(rows),
      stopping: stopping.signal,
    });
  const task = new PeriodicTask(work, intervalMs, createBackgroundErrorLogger(log, 'Deleting expired records failed'));
  task.start();
  return {
    stop: (): Promise<void> => {
      stopping.abort();
      return task.stop();
    },
  };
};
