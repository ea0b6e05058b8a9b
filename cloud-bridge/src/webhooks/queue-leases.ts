import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Storage } from '../storage/open-storage.ts';
import { runAsyncCommitTransaction } from '../storage/async-commit-transaction.ts';
import type { Database } from '../storage/schema.ts';
import { buildIdInExpression } from '../queries/sql-conditions.ts';

/**
 * Each webhook has a queue (a row in `webhook_lanes`). Only the lease owner delivers from it.
 * Leases are short and renewed, so that another bridge soon takes over the queues of a killed bridge.
 */
export const WEBHOOK_QUEUE_LEASE_MS = 6000;

export interface WebhookQueueLeaseRequest {
  readonly owner: string;
  readonly now: number;
  /** Null: all queues with a due delivery. */
  readonly webhookIds: readonly string[] | null;
  readonly limit: number;
}

const hasDueDelivery = (now: number): RawBuilder<unknown> => sql`exists (select 1 from webhook_deliveries as d
  where d.webhook_id = l.webhook_id and d.status = 'pending' and d.next_attempt_at <= ${now})`;

/**
 * Deliveries of a disabled webhook and of a backed-off receiver wait. Those of a deleted webhook are processed, to mark
 * them as failed.
 */
const canDeliver = (now: number): RawBuilder<unknown> => sql`exists (select 1 from webhooks as w
  where w.id = l.webhook_id and (w.is_deleted = 1 or (w.is_enabled = 1 and l.resume_at <= ${now})))`;

/** Returns the webhooks whose queues this owner now leases. Skips rows that another bridge is leasing. */
export const acquireWebhookQueueLeases = async (
  storage: Storage,
  request: WebhookQueueLeaseRequest,
): Promise<string[]> => {
  const { engine } = storage;
  const { owner, now, webhookIds, limit } = request;
  const isRequested = webhookIds === null ? sql`1 = 1` : buildIdInExpression(engine, sql`l.webhook_id`, webhookIds);
  const lock = engine === 'postgres' ? sql`for update of l skip locked` : sql``;
  const update = sql<{ webhook_id: string }>`update webhook_lanes
    set lease_owner = ${owner}, lease_until = ${now + WEBHOOK_QUEUE_LEASE_MS}
    where webhook_id in (
      select l.webhook_id from webhook_lanes as l
      where ${isRequested} and l.lease_until <= ${now} and ${hasDueDelivery(now)} and ${canDeliver(now)}
      order by l.lease_until limit ${limit} ${lock})
    returning webhook_id`;
  const { rows } = await runAsyncCommitTransaction(storage, db => update.execute(db));
  return rows.map(({ webhook_id }) => webhook_id);
};

export const renewWebhookQueueLeases = async (db: Kysely<Database>, owner: string, now: number): Promise<void> => {
  await db
    .updateTable('webhook_lanes')
    .set({ lease_until: now + WEBHOOK_QUEUE_LEASE_MS })
    .where('lease_owner', '=', owner)
    .execute();
};

/** Releases the leases of dead owners, so that a restarted bridge does not wait until they expire. */
export const releaseDeadWebhookQueueLeases = async (
  { writer }: Storage,
  isDead: (owner: string) => boolean,
): Promise<void> => {
  const leased = await writer
    .selectFrom('webhook_lanes')
    .select('lease_owner')
    .distinct()
    .where('lease_owner', 'is not', null)
    .execute();
  const dead = leased.flatMap(({ lease_owner }) => (lease_owner !== null && isDead(lease_owner) ? [lease_owner] : []));
  if (dead.length === 0) return;
  await writer
    .updateTable('webhook_lanes')
    .set({ lease_owner: null, lease_until: 0 })
    .where('lease_owner', 'in', dead)
    .execute();
};
