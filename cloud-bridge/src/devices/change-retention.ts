import type { Storage } from '../storage/open-storage.ts';

const KEPT_MS = 30 * 86_400_000;
const MOST_ROWS = 1_000_000;

/** The newest revision of the organization that may be forgotten, by age and by number. */
const horizonOf = async ({ reader }: Storage, organizationId: string, now: number): Promise<number | null> => {
  const own = reader.selectFrom('access_changes').select('revision').where('organization_id', '=', organizationId);
  const aged = await own
    .where('changed_at', '<', now - KEPT_MS)
    .orderBy('revision', 'desc')
    .executeTakeFirst();
  const excess = await own.orderBy('revision', 'desc').offset(MOST_ROWS).limit(1).executeTakeFirst();
  const revisions = [aged, excess].flatMap(row => row?.revision ?? []);
  return revisions.length === 0 ? null : Math.max(...revisions);
};

/**
 * Forgets what changed long ago. The horizon is moved first: a controller that is behind it gets a snapshot, and never a
 * delta with a hole in it.
 */
export const forgetOldChanges = async (storage: Storage, now: number): Promise<void> => {
  const organizations = await storage.reader.selectFrom('organizations').select('id').execute();
  for (const { id } of organizations) {
    const revision = await horizonOf(storage, id, now);
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
