import type { Instant } from '@lintel/access-core/instant';
import { deleteMember } from '../resources/members.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { MemberRow } from '../storage/schema.ts';
import { systemActor } from '../transactions/actor.ts';
import { findRow, updateRow } from '../transactions/row-operations.ts';

const GRACE_MS = 86_400_000;
const BATCH = 200;

type Expiry = Pick<MemberRow, 'is_deleted' | 'ends_at' | 'expired_for'>;

/** True a day after `ends_at`, once per `ends_at`: an undeleted member stays until the date changes. */
const isEndedMemberDueForDeletion = ({ is_deleted, ends_at, expired_for }: Expiry, now: Instant): boolean =>
  is_deleted === 0 && ends_at !== null && ends_at !== expired_for && ends_at + GRACE_MS <= now;

type DeletionServices = Pick<BridgeServices, 'storage' | 'writer' | 'deletionClock'>;

interface Candidate {
  readonly id: string;
  readonly organization_id: string;
  readonly ends_at: number;
}

const findCandidates = async ({ storage }: DeletionServices, latest: number, after: Candidate | null) => {
  let query = storage.reader
    .selectFrom('members')
    .select(['id', 'organization_id', 'ends_at'])
    .where('is_deleted', '=', 0)
    .where('ends_at', '<=', latest)
    .where(where => where.or([where('expired_for', 'is', null), where('expired_for', '<>', where.ref('ends_at'))]));
  if (after !== null) {
    query = query.where(where => where(where.refTuple('ends_at', 'id'), '>', where.tuple(after.ends_at, after.id)));
  }
  return (await query.orderBy('ends_at').orderBy('id').limit(BATCH).execute()) as Candidate[];
};

/** Checks again under the organization's lock, because another bridge or a user may have changed the member. */
const deleteIfDue = (
  { writer, deletionClock }: DeletionServices,
  { id, organization_id }: Candidate,
): Promise<boolean> =>
  writer.write(organization_id, systemActor, async context => {
    const row = await findRow(context, 'members', id);
    if (row === undefined || !isEndedMemberDueForDeletion(row, deletionClock.now(organization_id))) return false;
    await updateRow(context, 'members', row, { expired_for: row.ends_at });
    await deleteMember(context, id);
    return true;
  });

/**
 * Deletes all members that are due and returns their number. A failure for one member is reported and does not stop the
 * others.
 */
export const deleteDueEndedMembers = async (
  services: DeletionServices,
  onError: (error: unknown) => void,
): Promise<number> => {
  const { deletionClock } = services;
  const latest = deletionClock.latest() - GRACE_MS;
  let deleted = 0;
  for (let batch = await findCandidates(services, latest, null); batch.length > 0; ) {
    const results = await Promise.allSettled(
      batch
        .filter(({ organization_id, ends_at }) => ends_at + GRACE_MS <= deletionClock.now(organization_id))
        .map(candidate => deleteIfDue(services, candidate)),
    );
    for (const result of results) {
      if (result.status === 'rejected') onError(result.reason);
      else if (result.value) deleted += 1;
    }
    batch = batch.length < BATCH ? [] : await findCandidates(services, latest, batch.at(-1)!);
  }
  return deleted;
};

/** True if a member of the organization ends by the later time, but not by the earlier one. */
export const isDeletionDueBetween = async (
  { reader }: BridgeServices['storage'],
  organizationId: string,
  earlier: number,
  later: number,
): Promise<boolean> => {
  const row = await reader
    .selectFrom('members')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .where('ends_at', '>', earlier - GRACE_MS)
    .where('ends_at', '<=', later - GRACE_MS)
    .where(where => where.or([where('expired_for', 'is', null), where('expired_for', '<>', where.ref('ends_at'))]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};
