import { type Kysely, sql } from 'kysely';
import { isAmong } from '../../queries/conditions.ts';
import { pinContext } from '../../resources/pin-claims.ts';
import type { MasterKeys } from '../../secrets/master-key.ts';
import { unseal } from '../../secrets/sealing.ts';
import type { Engine } from '../../storage/engine.ts';
import type { Database } from '../../storage/schema.ts';

interface Dated {
  readonly starts_at: number | null;
  readonly ends_at: number | null;
}

export interface AssociationRecord extends Dated {
  readonly id: string;
  readonly member_group_id: string;
  /** Kept although it is gone: whoever had it may still be held at a door. */
  readonly is_deleted: 0 | 1;
}

/** A member and all that a door must know of it, with the secrets in the open: it never leaves the process as it is. */
export interface MemberRecord extends Dated {
  readonly id: string;
  readonly is_deleted: 0 | 1;
  readonly associations: AssociationRecord[];
  readonly pins: { readonly id: string; readonly digits: string }[];
  readonly cards: { readonly id: string; readonly uid: string }[];
  readonly tokens: { readonly id: string; readonly public_key: string }[];
}

export interface RecordSource {
  readonly db: Kysely<Database>;
  readonly engine: Engine;
  readonly masterKeys: MasterKeys;
  readonly organizationId: string;
}

/**
 * Found by their members alone, which are the organization's own: a second condition would lead the database to another
 * index, and through all rows of the organization.
 */
const among = async <R extends Dateable>(
  { db, engine }: RecordSource,
  from: string,
  ids: readonly string[],
): Promise<R[]> => {
  const { rows } = await sql<R>`${sql.raw(from)} and ${isAmong(engine, sql`t.member_id`, ids)}`.execute(db);
  return rows.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
};

interface Dateable {
  readonly id: string;
  readonly created_at: number;
}

interface Owned extends Dateable {
  readonly member_id: string;
}

const readMembers = async ({ db, engine, organizationId }: RecordSource, ids: readonly string[]) => {
  const { rows } = await sql<Pick<MemberRecord, 'id' | 'is_deleted' | 'starts_at' | 'ends_at'>>`
    select t.id, t.is_deleted, t.starts_at, t.ends_at from members as t
    where t.organization_id = ${organizationId} and ${isAmong(engine, sql`t.id`, ids)}`.execute(db);
  return rows;
};

/** Those of the ids that are members, in five queries however many they are. */
export const loadMemberRecords = async (
  source: RecordSource,
  wanted: readonly string[],
): Promise<Map<string, MemberRecord>> => {
  const found = new Map<string, MemberRecord>();
  if (wanted.length === 0) return found;
  for (const row of await readMembers(source, wanted)) {
    found.set(row.id, { ...row, associations: [], pins: [], cards: [], tokens: [] });
  }
  const ids = [...found.keys()];
  const associations = await among<AssociationRecord & Owned>(
    source,
    `select t.id, t.created_at, t.member_id, t.member_group_id, t.starts_at, t.ends_at, t.is_deleted
     from member_group_associations as t where true`,
    ids,
  );
  for (const { member_id, created_at: _, ...association } of associations) {
    found.get(member_id)?.associations.push(association);
  }
  const pins = await among<Owned & { sealed: string }>(
    source,
    'select t.id, t.created_at, t.member_id, t.sealed from member_pins as t where t.is_deleted = 0',
    ids,
  );
  for (const { id, member_id, sealed } of pins) {
    const digits = unseal(source.masterKeys, sealed, pinContext(source.organizationId, id));
    found.get(member_id)?.pins.push({ id, digits });
  }
  const cards = await among<Owned & { uid: string }>(
    source,
    `select t.id, t.created_at, t.member_id, c.uid from member_cards as t join cards as c on c.id = t.card_id
     where t.is_deleted = 0 and c.is_deleted = 0 and c.uid is not null`,
    ids,
  );
  for (const { id, member_id, uid } of cards) found.get(member_id)?.cards.push({ id, uid });
  const tokens = await among<Owned & { public_key: string }>(
    source,
    'select t.id, t.created_at, t.member_id, t.public_key from member_tokens as t where t.is_deleted = 0',
    ids,
  );
  for (const { id, member_id, public_key } of tokens) found.get(member_id)?.tokens.push({ id, public_key });
  return found;
};

/** Living members with a living association with one of the groups, in the order of their ids. */
export const memberIdsIn = async (
  { db, engine, organizationId }: RecordSource,
  groups: Iterable<string>,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select distinct a.member_id as id
    from member_group_associations as a join members as m on m.id = a.member_id
    where a.organization_id = ${organizationId} and a.is_deleted = 0 and m.is_deleted = 0
      and ${isAmong(engine, sql`a.member_group_id`, [...groups])}`.execute(db);
  return rows.map(({ id }) => id).toSorted();
};

/** Everybody who has or had an association with one of the groups. */
export const memberIdsOnceIn = async (
  { db, engine, organizationId }: RecordSource,
  groups: Iterable<string>,
): Promise<string[]> => {
  const wanted = [...groups];
  if (wanted.length === 0) return [];
  const { rows } = await sql<{ id: string }>`select distinct a.member_id as id from member_group_associations as a
    where a.organization_id = ${organizationId} and ${isAmong(engine, sql`a.member_group_id`, wanted)}`.execute(db);
  return rows.map(({ id }) => id);
};
