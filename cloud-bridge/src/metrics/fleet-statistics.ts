import { faultKinds } from '@lintel/access-core/alerts/fault-kinds';
import { type RawBuilder, sql } from 'kysely';
import type { Storage } from '../storage/open-storage.ts';

/** Numbers about all organizations. Keys of maps are from fixed sets. */
export interface FleetStatistics {
  readonly connected: number;
  readonly offline: number;
  /** Controllers that have not confirmed the current revision of their organization. */
  readonly behind: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly doorAlarms: ReadonlyMap<string, number>;
  readonly openIncidents: number;
  readonly failingWebhooks: number;
  /** At most `MAX_COUNTED_DELIVERIES`. */
  readonly pendingDeliveries: number;
  /** Webhook queues that a bridge delivers at the moment. */
  readonly queueLeases: number;
}

const MAX_COUNTED_DELIVERIES = 100_000;

export const doorAlarmKinds = ['forced', 'held_open'] as const;

const countBy = (keys: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

const faultKindsIn = (status: string): string[] => {
  const { faults = [] } = JSON.parse(status) as { readonly faults?: readonly { readonly code: string }[] };
  const kinds = faults.map(({ code }) => code.split(':')[0]!);
  // Others count as `other`, so that labels stay few.
  return kinds.map(kind => ((faultKinds as readonly string[]).includes(kind) ? kind : 'other'));
};

/** Reads tables with a row per controller, door or webhook, and the index of pending deliveries, but never the events. */
export const loadFleetStatistics = async ({ reader }: Storage, now: number): Promise<FleetStatistics> => {
  const rowsOf = async <R>(query: RawBuilder<R>): Promise<R[]> => (await query.execute(reader)).rows;
  const countOf = async (query: RawBuilder<{ readonly count: number }>): Promise<number> =>
    (await rowsOf(query))[0]!.count;
  const [links] = await rowsOf(
    sql<{ known: number; connected: number }>`
      select count(*) as known, count(session_nonce) as connected from device_links`,
  );
  const { known = 0, connected = 0 } = links ?? {};
  const statuses = await rowsOf(
    sql<{ status: string }>`select d.status from devices as d join device_links as l on l.device_id = d.id
      where d.is_deleted = 0 and d.status like '%"code"%'`,
  );
  const alarms = await rowsOf(
    sql<{ state_id: string }>`select state_id from gadgets where is_deleted = 0
      and state_id in (${sql.join(doorAlarmKinds)})`,
  );
  return {
    connected,
    offline: known - connected,
    behind: await countOf(
      sql`select count(*) as count from device_links as l join organizations as o on o.id = l.organization_id
        left join device_sync as s on s.device_id = l.device_id where s.revision is null or s.revision < o.revision`,
    ),
    faults: countBy(statuses.flatMap(({ status }) => faultKindsIn(status))),
    doorAlarms: countBy(alarms.map(({ state_id }) => state_id)),
    openIncidents: await countOf(sql`select count(*) as count from incidents where acknowledged_at is null`),
    failingWebhooks: await countOf(
      sql`select count(*) as count from webhooks
        where is_deleted = 0 and is_enabled = 1 and failing_since is not null`,
    ),
    pendingDeliveries: await countOf(
      sql`select count(*) as count from (select 1 from webhook_deliveries where status = 'pending'
        limit ${sql.lit(MAX_COUNTED_DELIVERIES)}) as pending`,
    ),
    queueLeases: await countOf(sql`select count(*) as count from webhook_lanes where lease_until > ${now}`),
  };
};
