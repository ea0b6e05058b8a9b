import type { Bridge } from '@lintel/cloud-bridge/main';
import { createEventPartitions, insertDevice, insertSite } from '@lintel/cloud-bridge/testing';
import { type RawBuilder, sql } from 'kysely';
import { door } from '../../support/bridge/site-fixtures.ts';
import { createEventId, createNumbers, MEMBER_COUNT, padDigits } from '../api-fixture/seed-database.ts';
import { scaled } from '../harness/benchmark-types-and-statistics.ts';

export const EVENTS = scaled(10_000_000, 3000);
export const ACTIVITY_MONTHS = 24;
const DOORS = 200;
/** An interrupted run ends after the current batch. */
const BATCH = 500_000;

export const doorId = (number: number): string => `gad_${padDigits(number)}`;

const createDoors = async (services: Bridge['services'], organizationId: string): Promise<void> => {
  const { id: site_id } = await insertSite(services, organizationId, { name: 'Hotel' });
  const form = { name: 'Controller', product_id: 'virtual', site_id: site_id as never, gadgets: [door] };
  const { gadgets } = await insertDevice(services, organizationId, form);
  const rows = Array.from({ length: DOORS }, (_, index) => ({
    ...gadgets[0]!,
    id: doorId(index),
    name: `Door ${index}`,
  }));
  await services.storage.writer.insertInto('gadgets').values(rows).execute();
};

interface IndexDefinition {
  readonly name: string;
  readonly definition: string;
}

/** Runs the work without the indexes of the events, because creating them afterwards takes less time. */
const withoutIndexes = async ({ storage }: Bridge['services'], work: () => Promise<void>): Promise<void> => {
  const { writer: db, engine } = storage;
  const { rows } = await (engine === 'sqlite'
    ? sql<IndexDefinition>`select name, sql as definition from sqlite_master
        where type = 'index' and tbl_name = 'events' and sql is not null`.execute(db)
    : sql<IndexDefinition>`select indexname as name, indexdef as definition from pg_indexes
        where schemaname = current_schema() and tablename = 'events' and indexname <> 'events_pkey'`.execute(db));
  for (const { name } of rows) await sql.raw(`drop index ${name}`).execute(db);
  await work();
  for (const { definition } of rows) await sql.raw(definition.replace(' ON ONLY ', ' ON ')).execute(db);
};

/**
 * Inserts the events of the last two years until now, evenly over time, doors and members: 2% are denials, 20% states of doors,
 * 0.1% edits by a user. The oldest 20 are the only revealed PINs.
 */
const insertEvents = async (services: Bridge['services'], organizationId: string, from: number, to: number) => {
  const { writer: db, engine } = services.storage;
  const at = sql`${sql.lit(from)} + i * ${sql.lit(Math.floor((to - from) / EVENTS))}`;
  const [org, user] = [sql.lit(organizationId), sql.lit(`usr_${padDigits(1)}`)];
  const id = (prefix: string, number: RawBuilder<unknown>) =>
    engine === 'sqlite'
      ? sql`printf(${sql.lit(`${prefix}%026d`)}, ${number})`
      : sql`${sql.lit(prefix)} || lpad((${number})::text, 26, '0')`;
  const [isReveal, isDenial] = [sql`i <= 20`, sql`i % 50 = 0`];
  const [isState, isEdit] = [sql`i % 5 = 1`, sql`i % 1000 = 7`];
  const pick = (reveal: string | null, denial: string | null, state: string | null, edit: string | null, use: string) =>
    sql`case when ${isReveal} then ${sql.lit(reveal)} when ${isDenial} then ${sql.lit(denial)}
      when ${isState} then ${sql.lit(state)} when ${isEdit} then ${sql.lit(edit)} else ${sql.lit(use)} end`;
  const member = id('mem_', sql`1 + i * 7919 % ${sql.lit(MEMBER_COUNT)}`);
  const isByUser = sql`(${isReveal} or (${isEdit} and not ${isDenial} and not ${isState}))`;
  for (let first = 1; first <= EVENTS; first += BATCH) {
    await sql`insert into events (id, organization_id, created_at, recorded_at, verb, reason, subject_member_id,
        subject_user_id, subject_access_method, object_type, object_member_id, object_gadget_id, object_gadget_action_id,
        object_gadget_state_id)
      ${createNumbers(engine, first, Math.min(EVENTS, first + BATCH - 1))} select ${createEventId(engine, at)}, ${org},
        ${at}, (${at}) * 1000, ${pick('reveal', 'deny', 'edit', 'edit', 'use')},
        case when ${isDenial} and not ${isReveal} then 'out_of_schedule' end,
        case when ${isByUser} or ${isState} then null else ${member} end, case when ${isByUser} then ${user} end,
        case when not ${isByUser} and not ${isState} then 'pin' end,
        ${pick('member_pin', 'gadget_action', 'gadget_state', 'member', 'gadget_action')},
        case when ${isByUser} then ${member} end,
        case when ${isByUser} then null else ${id('gad_', sql`i * 31 % ${sql.lit(DOORS)}`)} end,
        case when ${isByUser} or ${isState} then null else 'open' end,
        case when ${isState} and not ${isReveal} then 'unlocked' end from n`.execute(db);
    await new Promise(resolve => setImmediate(resolve));
  }
};

/** What the bridge counts while it records events, in the order of time. */
const insertCounts = ({ storage }: Bridge['services'], organizationId: string): Promise<void> =>
  storage.writer.transaction().execute(async db => {
    // Millions of groups: without it, PostgreSQL sorts them on disk.
    if (storage.engine === 'postgres') await sql`set local work_mem = '1GB'`.execute(db);
    await sql`insert into activity_counts (organization_id, hour, gadget_id, verb, count)
    select organization_id, created_at / 3600000 * 3600000, object_gadget_id, verb, count(*) from events
    where organization_id = ${organizationId} and object_type = 'gadget_action' group by 1, 2, 3, 4
    order by 2`.execute(db);
  });

/** Doors and their events from the time of the bridge until now. */
export const seedActivity = async (services: Bridge['services'], organizationId: string): Promise<void> => {
  const { storage, clock } = services;
  await createDoors(services, organizationId);
  if (storage.engine === 'postgres') await createEventPartitions(storage, clock(), ACTIVITY_MONTHS);
  await withoutIndexes(services, () => insertEvents(services, organizationId, clock(), Date.now()));
  await insertCounts(services, organizationId);
  await sql`update organizations set last_recorded_at =
    (select max(recorded_at) from events where organization_id = ${organizationId}) where id = ${organizationId}`.execute(
    storage.writer,
  );
  if (storage.engine === 'postgres') await sql`vacuum analyze`.execute(storage.writer);
};
