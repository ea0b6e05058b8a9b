import { type Kysely, sql } from 'kysely';
import { buildIdInExpression } from '../../queries/sql-conditions.ts';
import { buildMagicLinkSealContext } from '../../resources/magic-link-sealing-and-blind-index.ts';
import type { ValidityPeriod } from '../../resources/merge-validity.ts';
import { buildPinSealContext } from '../../resources/pin-reservations.ts';
import type { MasterKeys } from '../../secrets/master-keys.ts';
import { unsealSecretIfReadable } from '../../secrets/sealing.ts';
import type { DatabaseEngine } from '../../storage/database-engine-type.ts';
import type { Database } from '../../storage/schema.ts';

export interface GroupAssociationRecord extends ValidityPeriod {
  readonly id: string;
  readonly member_group_id: string;
  /** Includes deleted associations, because the member may still be in the snapshot of a controller. */
  readonly is_deleted: 0 | 1;
}

/** A member with credentials and group associations. Contains plain secrets and must not leave the process. */
export interface MemberWithCredentials extends ValidityPeriod {
  readonly id: string;
  readonly is_deleted: 0 | 1;
  readonly associations: GroupAssociationRecord[];
  readonly pins: {
    readonly id: string;
    readonly digits: string;
    /** Another PIN of the organization begins with the same digits, whether the controller knows that PIN or not. */
    readonly isExtended: boolean;
  }[];
  readonly cards: { readonly id: string; readonly uid: string }[];
  readonly tokens: { readonly id: string; readonly public_key: string }[];
  readonly magicLinks: { readonly id: string; readonly token: string }[];
}

export interface UnreadableCredential {
  readonly member_id: string;
  /** Exactly one of the two. */
  readonly member_pin_id?: string;
  readonly member_magic_link_id?: string;
}

export interface MemberLoadContext {
  readonly db: Kysely<Database>;
  readonly engine: DatabaseEngine;
  readonly masterKeys: MasterKeys;
  readonly organizationId: string;
  /** Called for a PIN or magic link that cannot be unsealed. It is left out, and all others are served. */
  readonly onUnreadable: (credential: UnreadableCredential) => void;
}

/**
 * Selects by member id only. With a condition on the organization, the database would use another index and scan all rows
 * of the organization.
 */
const selectByMember = async <R extends SortableRow>(
  { db, engine }: MemberLoadContext,
  from: string,
  ids: readonly string[],
): Promise<R[]> => {
  const { rows } = await sql<R>`${sql.raw(from)} and ${buildIdInExpression(engine, sql`t.member_id`, ids)}`.execute(db);
  return rows.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
};

interface SortableRow {
  readonly id: string;
  readonly created_at: number;
}

interface MemberOwnedRow extends SortableRow {
  readonly member_id: string;
}

const readMembers = async ({ db, engine, organizationId }: MemberLoadContext, ids: readonly string[]) => {
  const { rows } = await sql<Pick<MemberWithCredentials, 'id' | 'is_deleted' | 'starts_at' | 'ends_at'>>`
    select t.id, t.is_deleted, t.starts_at, t.ends_at from members as t
    where t.organization_id = ${organizationId} and ${buildIdInExpression(engine, sql`t.id`, ids)}`.execute(db);
  return rows;
};

/** Loads the members with these ids in six queries. Ignores unknown ids. */
export const loadMembersWithCredentials = async (
  source: MemberLoadContext,
  memberIds: readonly string[],
): Promise<Map<string, MemberWithCredentials>> => {
  const records = new Map<string, MemberWithCredentials>();
  if (memberIds.length === 0) return records;
  for (const row of await readMembers(source, memberIds)) {
    records.set(row.id, { ...row, associations: [], pins: [], cards: [], tokens: [], magicLinks: [] });
  }
  const ids = [...records.keys()];
  const associations = await selectByMember<GroupAssociationRecord & MemberOwnedRow>(
    source,
    `select t.id, t.created_at, t.member_id, t.member_group_id, t.starts_at, t.ends_at, t.is_deleted
     from member_group_associations as t where true`,
    ids,
  );
  for (const { member_id, created_at: _, ...association } of associations) {
    records.get(member_id)?.associations.push(association);
  }
  const pins = await selectByMember<MemberOwnedRow & { sealed: string; is_extended: boolean | 0 | 1 }>(
    source,
    `select t.id, t.created_at, t.member_id, t.sealed, exists (
       select 1 from pin_claims as c join pin_prefixes as x on x.organization_id = c.organization_id and x.blind = c.blind
       where c.pin_id = t.id
     ) as is_extended from member_pins as t where t.is_deleted = 0`,
    ids,
  );
  for (const { id, member_id, sealed, is_extended } of pins) {
    const digits = unsealSecretIfReadable(source.masterKeys, sealed, buildPinSealContext(source.organizationId, id));
    if (digits === null) source.onUnreadable({ member_id, member_pin_id: id });
    else records.get(member_id)?.pins.push({ id, digits, isExtended: Boolean(is_extended) });
  }
  const cards = await selectByMember<MemberOwnedRow & { uid: string }>(
    source,
    `select t.id, t.created_at, t.member_id, c.uid from member_cards as t join cards as c on c.id = t.card_id
     where t.is_deleted = 0 and c.is_deleted = 0 and c.uid is not null`,
    ids,
  );
  for (const { id, member_id, uid } of cards) records.get(member_id)?.cards.push({ id, uid });
  const tokens = await selectByMember<MemberOwnedRow & { public_key: string }>(
    source,
    'select t.id, t.created_at, t.member_id, t.public_key from member_tokens as t where t.is_deleted = 0',
    ids,
  );
  for (const { id, member_id, public_key } of tokens) records.get(member_id)?.tokens.push({ id, public_key });
  const magicLinks = await selectByMember<MemberOwnedRow & { sealed: string }>(
    source,
    'select t.id, t.created_at, t.member_id, t.sealed from member_magic_links as t where t.is_deleted = 0',
    ids,
  );
  for (const { id, member_id, sealed } of magicLinks) {
    const token = unsealSecretIfReadable(
      source.masterKeys,
      sealed,
      buildMagicLinkSealContext(source.organizationId, id),
    );
    if (token === null) source.onUnreadable({ member_id, member_magic_link_id: id });
    else records.get(member_id)?.magicLinks.push({ id, token });
  }
  return records;
};

/** Members with an association with one of the groups, without deleted ones, ordered by id. */
export const listMemberIdsInGroups = async (
  { db, engine, organizationId }: MemberLoadContext,
  groups: Iterable<string>,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select distinct a.member_id as id
    from member_group_associations as a join members as m on m.id = a.member_id
    where a.organization_id = ${organizationId} and a.is_deleted = 0 and m.is_deleted = 0
      and ${buildIdInExpression(engine, sql`a.member_group_id`, [...groups])}`.execute(db);
  return rows.map(({ id }) => id).toSorted();
};

/** Members that have or had an association with one of the groups. */
export const listMemberIdsEverInGroups = async (
  { db, engine, organizationId }: MemberLoadContext,
  groups: Iterable<string>,
): Promise<string[]> => {
  const groupIds = [...groups];
  if (groupIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`select distinct a.member_id as id from member_group_associations as a
    where a.organization_id = ${organizationId} and ${buildIdInExpression(engine, sql`a.member_group_id`, groupIds)}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};
