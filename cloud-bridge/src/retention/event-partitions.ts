import { getErrorCode } from '@lintel/service/error-code';
import { type Kysely, sql } from 'kysely';
import { createJsonRowsParameter } from '../storage/rows-as-json-parameter.ts';
import {
  computeLowestEventId,
  computeStartOfUtcMonth,
  buildEventTableName,
} from '../storage/event-month-boundaries-and-table-names.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { Database } from '../storage/schema.ts';

/** A month of events, or all events before the first month. */
interface EventPartition {
  readonly name: string;
  /** The first id after the partition. */
  readonly end: string;
}

const MONTHS_AHEAD = 3;
const MAX_COUNTED_ROWS = 100_000;
/** More rows than this that are still kept stay where they are, together with their month. */
const MAX_MOVED_ROWS = 10_000;

const LOCK_TIMEOUT = '55P03';
/** Arbitrary id of the advisory lock under which partitions are created. */
const CREATION_LOCK = 7_164_204;

/**
 * Runs a transaction that locks partitions for a moment. Gives up soon if another transaction uses them, because events of
 * doors wait behind the lock, and returns null. The next run of the task tries again.
 */
const tryLocked = async <T>({ writer }: Storage, work: (db: Kysely<Database>) => Promise<T>): Promise<T | null> => {
  try {
    return await writer.transaction().execute(async db => {
      await sql.raw(`set local lock_timeout = '500ms'`).execute(db);
      return work(db);
    });
  } catch (error) {
    if (getErrorCode(error) === LOCK_TIMEOUT) return null;
    throw error;
  }
};

/** The partitions in their order, without the default partition; null if they are locked. */
const listPartitions = (storage: Storage): Promise<EventPartition[] | null> =>
  tryLocked(storage, async db => {
    const { rows } = await sql<{ name: string; bounds: string }>`
      select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds from pg_inherits as i
      join pg_class as c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass`.execute(db);
    return rows
      .flatMap(({ name, bounds }) => {
        const end = / TO \('(\w+)'\)$/.exec(bounds)?.[1];
        return end === undefined ? [] : [{ name, end }];
      })
      .toSorted((a, b) => (a.end < b.end ? -1 : 1));
  });

/** Creates the partitions of this month and the next ones, and moves their events out of the default partition. */
export const createEventPartitions = async (storage: Storage, now: number, months = MONTHS_AHEAD): Promise<void> => {
  const partitions = await listPartitions(storage);
  if (partitions === null) return;
  const last = partitions.at(-1)?.end ?? '';
  for (let offset = 0; offset <= months; offset++) {
    const start = computeStartOfUtcMonth(now, offset);
    const [from, to] = [computeLowestEventId(start), computeLowestEventId(computeStartOfUtcMonth(start, 1))];
    if (from < last) continue;
    const table = sql.table(buildEventTableName(start));
    const isCreated = await tryLocked(storage, async db => {
      await sql`select pg_advisory_xact_lock(${sql.lit(CREATION_LOCK)})`.execute(db);
      // Another process may have been faster.
      const { rows } = await sql<{
        oid: string | null;
      }>`select to_regclass(${buildEventTableName(start)}) as oid`.execute(db);
      if (rows[0]!.oid !== null) return true;
      await sql`create table ${table} (like events including defaults)`.execute(db);
      await sql`with own as (delete from events_default where id >= ${from} and id < ${to} returning *)
        insert into ${table} select * from own`.execute(db);
      await sql`alter table events attach partition ${table}
        for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(db);
      return true;
    });
    if (isCreated === null) return;
  }
};

/** Events whose month has no partition: those of wrong clocks. Counts up to 100,000. */
export const countEventsInDefaultPartition = async ({ reader }: Storage): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count
    from (select 1 from events_default limit ${sql.lit(MAX_COUNTED_ROWS)}) as counted`.execute(reader);
  return rows[0]!.count;
};

/** Events that an organization recorded before this time are deleted; null: none. */
export type EventCutoffs = ReadonlyMap<string, number | null>;

const isKept = (cutoffs: EventCutoffs) => {
  const rows = [...cutoffs].map(([id, at]) => ({ id, position: at === null ? 0 : at * 1000 }));
  return sql`(exists (select 1 from ${createJsonRowsParameter('postgres', { id: 'text', position: 'int' }, rows)}
      where o.id = e.organization_id and e.recorded_at >= o.position)
    or exists (select 1 from webhook_deliveries as d where d.status = 'pending' and d.event_id = e.id
      and d.webhook_id in (select w.id from webhooks as w where w.organization_id = e.organization_id)))`;
};

/** The events of the partition, or null if it must stay because it has too many that are kept. */
const countRows = async (
  { reader }: Storage,
  table: string,
  cutoffs: EventCutoffs,
): Promise<{ readonly all: number; readonly kept: number } | null> => {
  const { rows: kept } = await sql<{ count: number }>`select count(*) as count
    from (select 1 from ${sql.table(table)} as e where ${isKept(cutoffs)}
      limit ${sql.lit(MAX_MOVED_ROWS + 1)}) as kept`.execute(reader);
  if (kept[0]!.count > MAX_MOVED_ROWS) return null;
  const { rows: all } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(reader);
  return { all: all[0]!.count, kept: kept[0]!.count };
};

/**
 * Drops the months whose events have expired, and returns the number of their events. Events in them that are still kept,
 * because they arrived late or wait for a webhook, move to the default partition.
 */
export const dropExpiredEventPartitions = async (storage: Storage, cutoffs: EventCutoffs): Promise<number> => {
  const latest = Math.max(0, ...[...cutoffs.values()].map(cutoff => cutoff ?? 0));
  const expired = (await listPartitions(storage))?.filter(({ end }) => end <= computeLowestEventId(latest));
  let dropped = 0;
  for (const { name } of expired ?? []) {
    const counts = await countRows(storage, name, cutoffs);
    if (counts === null) continue;
    const table = sql.table(name);
    const isDropped = await tryLocked(storage, async db => {
      await sql`alter table events detach partition ${table}`.execute(db);
      await sql`insert into events select e.* from ${table} as e where ${isKept(cutoffs)}`.execute(db);
      await sql`drop table ${table}`.execute(db);
      return true;
    });
    if (isDropped !== null) dropped += counts.all - counts.kept;
  }
  return dropped;
};
