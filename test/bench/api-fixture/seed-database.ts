import { randomUUID } from 'node:crypto';
import { issueTokens } from '../../../cloud-bridge/src/accounts/tokens.ts';
import type { BridgeServices } from '../../../cloud-bridge/src/services.ts';
import { sql } from 'kysely';

export const MEMBER_COUNT = 100_000;
const EVENTS = 1_000_000;

export interface SeededDatabase {
  readonly organizationId: string;
  readonly token: string;
  /** The id of the member with this number, from 1. */
  memberId(number: number): string;
}

const FIRST_AT = Date.parse('2024-01-01T00:00:00Z');
const digits = (number: number): string => String(number).padStart(26, '0');

/** Numbers from 1 in SQL, in the dialect of the engine. */
const numbers = (engine: string, count: number) =>
  engine === 'sqlite'
    ? sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`
    : sql`with n as (select generate_series(1::bigint, ${sql.lit(count)}) as i)`;

const padded = (engine: string, prefix: string) =>
  engine === 'sqlite'
    ? sql`printf(${sql.lit(`${prefix}%026d`)}, i)`
    : sql`${sql.lit(prefix)} || lpad(i::text, 26, '0')`;

const text = (engine: string, prefix: string) =>
  engine === 'sqlite' ? sql`${sql.lit(prefix)} || i` : sql`${sql.lit(prefix)} || i::text`;

/** Inserts an organization with members and events. The newest 100 members have a group and a PIN. */
export const seedDatabase = async ({ storage, masterKeys, newId, clock }: BridgeServices): Promise<SeededDatabase> => {
  const { writer: db, engine } = storage;
  const organizationId = newId('organization');
  const applicationId = newId('oauth_application');
  const groupId = newId('member_group');
  const created_at = clock();
  const described = { organization_id: organizationId, is_deleted: 0, created_at, metadata: '{}' } as const;
  await db
    .insertInto('organizations')
    .values({
      id: organizationId,
      name: 'Bench',
      is_deleted: 0,
      created_at,
      metadata: '{}',
      whitelabel: 1,
      revision: 0,
      last_recorded_at: 0,
      key_version: masterKeys.currentVersion,
    })
    .execute();
  await db
    .insertInto('member_groups')
    .values({ ...described, id: groupId, name: 'Guests', permissions: '[{}]', tag_ids: '[]' })
    .execute();
  const org = sql.lit(organizationId);
  const at = sql`${sql.lit(FIRST_AT)} + i * 1000`;
  await sql`insert into members
    (id, organization_id, is_deleted, created_at, metadata, name, starts_at, ends_at, language, tag_ids, expired_for)
    ${numbers(engine, MEMBER_COUNT)} select ${padded(engine, 'mem_')}, ${org}, 0, ${at},
      '{"source":"pms","sourceID":"r-1"}', ${text(engine, 'Guest ')}, ${at}, null, 'en', '[]', null from n`.execute(db);
  const last = sql`where i > ${sql.lit(MEMBER_COUNT - 100)}`;
  await sql`insert into member_group_associations
    (id, organization_id, is_deleted, created_at, metadata, member_id, member_group_id, starts_at, ends_at)
    ${numbers(engine, MEMBER_COUNT)} select ${padded(engine, 'mga_')}, ${org}, 0, ${at}, '{}', ${padded(engine, 'mem_')},
      ${sql.lit(groupId)}, null, null from n ${last}`.execute(db);
  await sql`insert into member_pins
    (id, organization_id, is_deleted, created_at, metadata, member_id, length, sealed)
    ${numbers(engine, MEMBER_COUNT)} select ${padded(engine, 'mp_')}, ${org}, 0, ${at}, '{}', ${padded(engine, 'mem_')},
      6, 'v1.sealed' from n ${last}`.execute(db);
  await sql`insert into events
    (id, organization_id, created_at, recorded_at, verb, subject_member_id, subject_access_method, object_type,
     object_gadget_id, object_gadget_action_id)
    ${numbers(engine, EVENTS)} select ${padded(engine, 'evt_')}, ${org}, ${at}, (${at}) * 1000, 'use',
      ${engine === 'sqlite' ? sql`printf('mem_%026d', 1 + i % 1000)` : sql`'mem_' || lpad((1 + i % 1000)::text, 26, '0')`},
      'pin', 'gadget_action', ${sql.lit(`gad_${digits(1)}`)}, 'open' from n`.execute(db);
  if (engine === 'postgres') await sql`analyze`.execute(db);
  const grant = { organizationId, applicationId, userId: null, scope: 'full_read_write', familyId: randomUUID() };
  const { access_token } = await issueTokens(db, grant, clock());
  return { organizationId, token: access_token, memberId: number => `mem_${digits(number)}` };
};
