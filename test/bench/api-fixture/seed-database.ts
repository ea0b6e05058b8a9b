import type { Bridge } from '@lintel/cloud-bridge/main';
import {
  computeStartOfUtcMonth,
  createEventPartitions,
  insertOrganization,
  issueAccessToken,
} from '@lintel/cloud-bridge/testing';
import { type RawBuilder, sql } from 'kysely';
import { scaled } from '../harness/benchmark-types-and-statistics.ts';

export const MEMBER_COUNT = scaled(100_000, 1000);
const EVENTS = scaled(1_000_000, 1000);

export interface SeededDatabase {
  readonly organizationId: string;
  readonly token: string;
  /** The id of the member with this number, from 1. */
  memberId(number: number): string;
}

const FIRST_AT = Date.parse('2024-01-01T00:00:00Z');
export const padDigits = (number: number): string => String(number).padStart(26, '0');

/** Numbers in SQL, in the dialect of the engine. */
export const createNumbers = (engine: string, first: number, last: number) =>
  engine === 'sqlite'
    ? sql`with recursive n(i) as (select ${sql.lit(first)} union all select i + 1 from n where i < ${sql.lit(last)})`
    : sql`with n as (select generate_series(${sql.lit(first)}::bigint, ${sql.lit(last)}) as i)`;

const padded = (engine: string, prefix: string) =>
  engine === 'sqlite'
    ? sql`printf(${sql.lit(`${prefix}%026d`)}, i)`
    : sql`${sql.lit(prefix)} || lpad(i::text, 26, '0')`;

const ID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** The id of an event with its time, so that events are in the partition of their month. */
export const createEventId = (engine: string, at: RawBuilder<unknown>) => {
  const digitAt = (shift: number) =>
    sql`substr(${sql.lit(ID_DIGITS)}, cast((((${at}) >> ${sql.lit(shift)}) & 31) + 1 as int), 1)`;
  const time = Array.from({ length: 10 }, (_, index) => digitAt(45 - 5 * index));
  const number = engine === 'sqlite' ? sql`printf('%016d', i)` : sql`lpad(i::text, 16, '0')`;
  return sql`'evt_' || ${sql.join([...time, number], sql` || `)}`;
};

const EVENT_MONTHS = 24;

/** The number in the name of a member. Names are not in the order of creation. */
const nameNumber = sql`cast(i * 7919 % ${sql.lit(MEMBER_COUNT)} as text)`;

const createdAt = sql`${sql.lit(FIRST_AT)} + i * 1000`;

/** Inserts an organization with members. The newest 100 have a group and a PIN. */
export const seedMembers = async (services: Bridge['services']): Promise<string> => {
  const { storage, newId, clock } = services;
  const { writer: db, engine } = storage;
  const organizationId = await insertOrganization(services);
  const groupId = newId('member_group');
  const created_at = clock();
  const described = { organization_id: organizationId, is_deleted: 0, created_at, metadata: '{}' } as const;
  await db
    .insertInto('member_groups')
    .values({ ...described, id: groupId, name: 'Guests', permissions: '[{}]', tag_ids: '[]' })
    .execute();
  const org = sql.lit(organizationId);
  await sql`insert into members
    (id, organization_id, is_deleted, created_at, metadata, name, starts_at, ends_at, language, tag_ids, expired_for)
    ${createNumbers(engine, 1, MEMBER_COUNT)} select ${padded(engine, 'mem_')}, ${org}, 0, ${createdAt},
      '{"source":"pms","sourceID":"r-1"}', 'Guest ' || ${nameNumber}, ${createdAt}, null, 'en', '[]', null from n`.execute(
    db,
  );
  const last = sql`where i > ${sql.lit(MEMBER_COUNT - 100)}`;
  await sql`insert into member_group_associations
    (id, organization_id, is_deleted, created_at, metadata, member_id, member_group_id, starts_at, ends_at)
    ${createNumbers(engine, 1, MEMBER_COUNT)} select ${padded(engine, 'mga_')}, ${org}, 0, ${createdAt}, '{}', ${padded(engine, 'mem_')},
      ${sql.lit(groupId)}, null, null from n ${last}`.execute(db);
  await sql`insert into member_pins
    (id, organization_id, is_deleted, created_at, metadata, member_id, length, sealed)
    ${createNumbers(engine, 1, MEMBER_COUNT)} select ${padded(engine, 'mp_')}, ${org}, 0, ${createdAt}, '{}', ${padded(engine, 'mem_')},
      6, 'v1.sealed' from n ${last}`.execute(db);
  return organizationId;
};

/** Inserts an organization with members and events, which are spread over the two years from next month. */
export const seedDatabase = async (services: Bridge['services'], events = EVENTS): Promise<SeededDatabase> => {
  const { storage, newId, clock } = services;
  const { writer: db, engine } = storage;
  const organizationId = await seedMembers(services);
  const applicationId = newId('oauth_application');
  const org = sql.lit(organizationId);
  if (engine === 'postgres') await createEventPartitions(storage, clock(), EVENT_MONTHS);
  const firstEventAt = computeStartOfUtcMonth(clock(), 1);
  const spacing = Math.floor((computeStartOfUtcMonth(clock(), EVENT_MONTHS) - firstEventAt) / events);
  const eventAt = sql`${sql.lit(firstEventAt)} + i * ${sql.lit(spacing)}`;
  await sql`insert into events
    (id, organization_id, created_at, recorded_at, verb, subject_member_id, subject_access_method, object_type,
     object_gadget_id, object_gadget_action_id)
    ${createNumbers(engine, 1, events)} select ${createEventId(engine, eventAt)}, ${org}, ${eventAt}, (${eventAt}) * 1000, 'use',
      ${engine === 'sqlite' ? sql`printf('mem_%026d', 1 + i % 1000)` : sql`'mem_' || lpad((1 + i % 1000)::text, 26, '0')`},
      'pin', 'gadget_action', ${sql.lit(`gad_${padDigits(1)}`)}, 'open' from n`.execute(db);
  await sql`update organizations set last_recorded_at =
    (select max(recorded_at) from events where organization_id = ${org}) where id = ${org}`.execute(db);
  if (engine === 'postgres') await sql`analyze`.execute(db);
  const token = await issueAccessToken(services, { organizationId, applicationId });
  return { organizationId, token, memberId: number => `mem_${padDigits(number)}` };
};

/** Inserts the words of the names and metadata by which the seeded members are found. */
export const seedSearchTerms = async ({ storage }: Bridge['services'], organizationId: string): Promise<void> => {
  const { writer: db, engine } = storage;
  const words = [...['guest', 'pms', 'r', '1'].map(word => sql.lit(word)), nameNumber];
  for (const word of words) {
    await sql`insert into member_search_terms (organization_id, term, member_id, member_created_at, member_name)
      ${createNumbers(engine, 1, MEMBER_COUNT)} select ${sql.lit(organizationId)}, ${word}, ${padded(engine, 'mem_')},
        ${createdAt}, 'Guest ' || ${nameNumber} from n
      where true on conflict do nothing`.execute(db);
  }
  if (engine === 'postgres') await sql`vacuum analyze member_search_terms`.execute(db);
};
