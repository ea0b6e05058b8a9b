import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Storage } from '../storage/open-storage.ts';
import { relaxedTransaction } from '../storage/relaxed-transaction.ts';
import type { Database } from '../storage/schema.ts';
import { idAmong } from './row-set.ts';

/**
 * A lane is a webhook's queue. Who holds its lease delivers from it, one event after the other; nobody else does
 * meanwhile. The lease is short and renewed, so that what a killed bridge held is soon taken up by another.
 */
export const LEASE_MS = 6000;

export interface Claim {
  readonly owner: string;
  readonly now: number;
  /** Null: whichever lanes have something due. */
  readonly webhookIds: readonly string[] | null;
  readonly most: number;
}

const headIsDue = (now: number): RawBuilder<unknown> => sql`(select d.next_attempt_at from webhook_deliveries as d
  where d.webhook_id = l.webhook_id and d.status = 'pending' order by d.position limit 1) <= ${now}`;

/** A disabled webhook's events wait. A deleted one's are taken up to be ended. */
const isServed = sql`exists (select 1 from webhooks as w
  where w.id = l.webhook_id and (w.is_enabled = 1 or w.is_deleted = 1))`;

/** Answers the webhooks whose lanes are ours now. A row that another bridge is just claiming is passed over. */
export const claimLanes = async (storage: Storage, claim: Claim): Promise<string[]> => {
  const { engine } = storage;
  const { owner, now, webhookIds, most } = claim;
  const asked = webhookIds === null ? sql`1 = 1` : idAmong(engine, sql`l.webhook_id`, webhookIds);
  const lock = engine === 'postgres' ? sql`for update of l skip locked` : sql``;
  const update = sql<{ webhook_id: string }>`update webhook_lanes
    set lease_owner = ${owner}, lease_until = ${now + LEASE_MS}
    where webhook_id in (
      select l.webhook_id from webhook_lanes as l
      where ${asked} and l.lease_until <= ${now} and ${headIsDue(now)} and ${isServed}
      order by l.lease_until limit ${most} ${lock})
    returning webhook_id`;
  const { rows } = await relaxedTransaction(storage, db => update.execute(db));
  return rows.map(({ webhook_id }) => webhook_id);
};

export const renewLanes = async (db: Kysely<Database>, owner: string, now: number): Promise<void> => {
  await db
    .updateTable('webhook_lanes')
    .set({ lease_until: now + LEASE_MS })
    .where('lease_owner', '=', owner)
    .execute();
};

/** Leases of processes of this machine that are no more: a restarted bridge need not wait for them to run out. */
export const freeLanesOf = async ({ writer }: Storage, isDead: (owner: string) => boolean): Promise<void> => {
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
