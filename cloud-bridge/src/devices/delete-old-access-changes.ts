import type { Storage } from '../storage/open-storage.ts';

const MAX_AGE_MS = 30 * 86_400_000;
/** For the status that the console shows for a day. */
const SERVED_MAX_AGE_MS = 2 * 86_400_000;
const MAX_ROWS = 1_000_000;

/** The newest revision whose change record exceeds the age or row limit. Null if all records are within the limits. */
const newestExpiredRevision = async (
  { reader }: Storage,
  organizationId: string,
  now: number,
): Promise<number | null> => {
  const changes = reader.selectFrom('access_changes').select('revision').where('organization_id', '=', organizationId);
  const tooOld = await changes
    .where('changed_at', '<', now - MAX_AGE_MS)
    .orderBy('revision', 'desc')
    .executeTakeFirst();
  const excess = await changes.orderBy('revision', 'desc').offset(MAX_ROWS).limit(1).executeTakeFirst();
  const revisions = [tooOld, excess].flatMap(row => row?.revision ?? []);
  return revisions.length === 0 ? null : Math.max(...revisions);
};

/**
 * Moves the horizon before it deletes: a controller behind the horizon receives a snapshot, never a delta with missing
 * changes.
 */
export const deleteOldAccessChanges = async (storage: Storage, now: number): Promise<void> => {
  await storage.writer
    .deleteFrom('served_revisions')
    .where('served_at', '<', now - SERVED_MAX_AGE_MS)
    .execute();
  const organizations = await storage.reader.selectFrom('organizations').select('id').execute();
  for (const { id } of organizations) {
    const revision = await newestExpiredRevision(storage, id, now);
    if (revision === null) continue;
    await storage.writer
      .insertInto('change_horizons')
      .values({ organization_id: id, revision })
      .onConflict(conflict => conflict.column('organization_id').doUpdateSet({ revision }))
      .execute();
    await storage.writer
      .deleteFrom('access_changes')
      .where('organization_id', '=', id)
      .where('revision', '<=', revision)
      .execute();
  }
};
