import type { Instant } from '@lintel/access-core/instant';
import { deleteMember } from '../resources/members.ts';
import type { Services } from '../services.ts';
import type { MemberRow } from '../storage/schema.ts';
import { system } from '../transactions/actor.ts';
import { findRow, updateRow } from '../transactions/rows.ts';

const GRACE_MS = 86_400_000;
const BATCH = 200;

type Expiry = Pick<MemberRow, 'is_deleted' | 'ends_at' | 'expired_for'>;

/** A day after `ends_at`, and once for each `ends_at`: whom somebody undeletes stays until the dates change. */
export const isDueForDeletion = ({ is_deleted, ends_at, expired_for }: Expiry, now: Instant): boolean =>
  is_deleted === 0 && ends_at !== null && ends_at !== expired_for && ends_at + GRACE_MS <= now;

type DeletionServices = Pick<Services, 'storage' | 'writer' | 'clock'>;

interface Candidate {
  readonly id: string;
  readonly organization_id: string;
  readonly ends_at: number;
}

const candidates = async ({ storage }: DeletionServices, latest: number, after: Candidate | null) => {
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

/** Looked at again under the organization's lock: another bridge may have been here, or a person. */
const deleteIfDue = ({ writer }: DeletionServices, { id, organization_id }: Candidate): Promise<boolean> =>
  writer.write(organization_id, system, async context => {
    const row = await findRow(context, 'members', id);
    if (row === undefined || !isDueForDeletion(row, context.now)) return false;
    await updateRow(context, 'members', row, { expired_for: row.ends_at });
    await deleteMember(context, id);
    return true;
  });

/**
 * Deletes everyone who is due, however long nobody looked, and answers how many. One member's failure is told and does
 * not keep the others.
 */
export const deleteExpiredMembers = async (
  services: DeletionServices,
  onError: (error: unknown) => void,
): Promise<number> => {
  const latest = services.clock() - GRACE_MS;
  let deleted = 0;
  for (let batch = await candidates(services, latest, null); batch.length > 0; ) {
    const outcomes = await Promise.allSettled(batch.map(candidate => deleteIfDue(services, candidate)));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') onError(outcome.reason);
      else if (outcome.value) deleted += 1;
    }
    batch = batch.length < BATCH ? [] : await candidates(services, latest, batch.at(-1)!);
  }
  return deleted;
};
