import type { BridgeServices } from '../bridge-services-interface.ts';
import type { TaskLease } from '../tasks/task-lease.ts';
import {
  DELETE_BATCH_SIZE,
  deleteExpiredWebhookDeliveryBatch,
  deleteExpiredEventBatch,
} from './delete-expired-records.ts';
import {
  countEventsInDefaultPartition,
  createEventPartitions,
  dropExpiredEventPartitions,
} from './event-partitions.ts';
import { computeEffectiveRetention, computeRetentionCutoff } from '../storage/retention-policy.ts';
import { loadRetentionRows } from './retention-settings.ts';

export type RetentionTableName = 'events' | 'webhook_deliveries';

export interface RetentionDependencies {
  readonly services: Pick<BridgeServices, 'storage' | 'clock' | 'deletionClock' | 'retention'>;
  readonly lease: Pick<TaskLease, 'acquire' | 'release'>;
  /** Called between batches, so that other writes come first. */
  readonly pause: () => Promise<void>;
  /** The organization is null for a month of events of all organizations. */
  readonly onRemoved: (table: RetentionTableName, organizationId: string | null, rows: number) => void;
  /** Called with the number of events whose month has no partition, with PostgreSQL. */
  readonly onDefaultPartition?: (rows: number) => void;
  /** Aborted when the bridge stops. */
  readonly stopping: AbortSignal;
}

const deleteBatches = {
  events: deleteExpiredEventBatch,
  webhook_deliveries: deleteExpiredWebhookDeliveryBatch,
} as const;

/** False if the run must end, because the bridge stops or another one has taken over. */
const deleteAll = async (
  { services, lease, pause, onRemoved, stopping }: RetentionDependencies,
  table: RetentionTableName,
  organizationId: string,
  cutoff: number | null,
): Promise<boolean> => {
  if (cutoff === null) return true;
  let removed = 0;
  try {
    for (;;) {
      if (stopping.aborted || !(await lease.acquire())) return false;
      const rows = await deleteBatches[table](services.storage, organizationId, cutoff);
      removed += rows;
      if (rows < DELETE_BATCH_SIZE) return true;
      await pause();
    }
  } finally {
    if (removed > 0) onRemoved(table, organizationId, removed);
  }
};

/**
 * Deletes the expired records of all organizations, in one of several bridges. With PostgreSQL, months whose events have all
 * expired are dropped first, so that at most the events of one month are deleted row by row.
 */
export const applyRetention = async (dependencies: RetentionDependencies): Promise<void> => {
  const { services, lease, onRemoved, onDefaultPartition } = dependencies;
  if (!(await lease.acquire())) return;
  try {
    const organizations = await services.storage.reader.selectFrom('organizations').select('id').execute();
    const rows = await loadRetentionRows(services.storage.reader);
    const policies = organizations.map(({ id }) => {
      const { events, deliveries } = computeEffectiveRetention(rows.get(id), services.retention);
      const now = services.deletionClock.now(id);
      return {
        id,
        eventCutoff: computeRetentionCutoff(events, now),
        deliveryCutoff: computeRetentionCutoff(deliveries, now),
      };
    });
    if (services.storage.engine === 'postgres') {
      await createEventPartitions(services.storage, services.clock());
      const cutoffs = new Map(policies.map(policy => [policy.id, policy.eventCutoff]));
      const dropped = await dropExpiredEventPartitions(services.storage, cutoffs);
      if (dropped > 0) onRemoved('events', null, dropped);
      onDefaultPartition?.(await countEventsInDefaultPartition(services.storage));
    }
    for (const policy of policies) {
      const canContinue =
        (await deleteAll(dependencies, 'webhook_deliveries', policy.id, policy.deliveryCutoff)) &&
        (await deleteAll(dependencies, 'events', policy.id, policy.eventCutoff));
      if (!canContinue) return;
    }
  } finally {
    await lease.release();
  }
};
