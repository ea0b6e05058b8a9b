import { instant } from '@lintel/access-core/instant';
import type { MemberCredentialDeliveryResponse } from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/schema.ts';
import { loadMemberChanges, loadMemberDeletions, revisionAt } from './member-changes.ts';

/** A credential that controllers cache. `revision` is the one that a controller has to confirm. */
export type CachedCredential = Omit<MemberCredentialDeliveryResponse['credentials'][number], 'controllers'>;

const credentialTables = {
  member_pin: 'member_pins',
  member_card: 'member_cards',
  member_token: 'member_tokens',
} as const;

type CredentialType = keyof typeof credentialTables;

/** How people recognize the cards of the member, by the id of the assignment. */
const loadCardNames = async (db: Kysely<Database>, memberId: string): Promise<ReadonlyMap<string, string | null>> => {
  const rows = await db
    .selectFrom('member_cards as m')
    .innerJoin('cards as c', 'c.id', 'm.card_id')
    .select(['m.id', 'c.name', 'c.printed_code', 'c.uid'])
    .where('m.member_id', '=', memberId)
    .execute();
  return new Map(rows.map(({ id, name, printed_code, uid }) => [id, name || printed_code || uid]));
};

/** The credentials of the member, with those that were deleted recently. */
export const loadCachedCredentials = async (
  db: Kysely<Database>,
  organizationId: string,
  memberId: string,
): Promise<CachedCredential[]> => {
  const changes = await loadMemberChanges(db, organizationId, memberId);
  const oldest = changes.at(-1)?.at;
  const deletions =
    oldest === undefined ? new Map<string, number>() : await loadMemberDeletions(db, organizationId, memberId, oldest);
  const cardNames = await loadCardNames(db, memberId);
  const states: CachedCredential[] = [];
  for (const [type, table] of Object.entries(credentialTables) as [CredentialType, 'member_pins'][]) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'is_deleted'])
      .where('member_id', '=', memberId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    for (const { id, is_deleted } of rows) {
      const description = { type, id, name: cardNames.get(id) ?? null };
      const deletedAt = deletions.get(id);
      if (is_deleted === 0)
        states.push({ ...description, is_deleted: false, deleted_at: null, revision: changes[0]?.revision ?? 0 });
      else if (deletedAt !== undefined)
        states.push({
          ...description,
          is_deleted: true,
          deleted_at: toDateTime(instant(deletedAt)),
          revision: revisionAt(changes, deletedAt) ?? 0,
        });
    }
  }
  return states;
};
