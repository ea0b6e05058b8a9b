import type { WriteContext } from '../../transactions/organization-writer.ts';

/** True if an administrator may have changed the device after this revision. */
export const hasDeviceChangedSince = async (
  { db, organizationId }: Pick<WriteContext, 'db' | 'organizationId'>,
  id: string,
  revision: number,
): Promise<boolean> => {
  const horizon = await db
    .selectFrom('change_horizons')
    .select('revision')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (horizon !== undefined && revision < horizon.revision) return true;
  const change = await db
    .selectFrom('access_changes')
    .select('revision')
    .where('organization_id', '=', organizationId)
    .where('object_type', '=', 'device')
    .where('object_id', '=', id)
    .where('revision', '>', revision)
    .executeTakeFirst();
  return change !== undefined;
};
