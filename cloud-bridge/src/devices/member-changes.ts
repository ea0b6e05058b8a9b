import type { Kysely } from 'kysely';
import type { Database } from '../storage/schema.ts';

/** A change of a member that controllers have to confirm. */
export interface MemberChange {
  readonly revision: number;
  readonly at: number;
  /** What it took away from the member, as in the table `access_changes`. */
  readonly withdraws: number;
}

/** Newest first. Changes older than the retention are missing; every controller has received those in a snapshot. */
export const loadMemberChanges = (
  db: Kysely<Database>,
  organizationId: string,
  memberId: string,
): Promise<readonly MemberChange[]> =>
  db
    .selectFrom('access_changes')
    .select(['revision', 'changed_at as at', 'withdraws'])
    .where('organization_id', '=', organizationId)
    .where('object_type', '=', 'member')
    .where('object_id', '=', memberId)
    .orderBy('revision', 'desc')
    .execute();

/** When credentials and group memberships of the member were deleted, by id. */
export const loadMemberDeletions = async (
  db: Kysely<Database>,
  organizationId: string,
  memberId: string,
  since: number,
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom('events')
    .select([
      'object_member_pin_id',
      'object_member_card_id',
      'object_member_token_id',
      'object_member_group_association_id',
      'created_at',
    ])
    .where('organization_id', '=', organizationId)
    .where('object_member_id', '=', memberId)
    .where('created_at', '>=', since)
    .where('verb', '=', 'delete')
    .execute();
  return new Map(
    rows.flatMap(({ created_at, ...ids }) =>
      Object.values(ids).flatMap(id => (id === null ? [] : [[id, created_at] as const])),
    ),
  );
};

/** The revision of a change at this time, of changes with the newest first; the latest one of the same millisecond. */
export const revisionAt = (
  changes: readonly { readonly revision: number; readonly at: number }[],
  at: number,
): number | undefined => {
  const time = changes.findLast(change => change.at >= at)?.at;
  return changes.find(change => change.at === time)?.revision;
};
