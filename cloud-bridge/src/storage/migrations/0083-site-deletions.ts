import { sql } from 'kysely';
import { createTable, type MigrationContext } from './table-builder.ts';

interface Ids {
  readonly id: string;
  readonly site_id: string;
  readonly organization_id: string;
}

/**
 * What went along with a deleted site. Devices, gadgets and triggers of sites that are deleted already become deleted, too:
 * they could not be used any more.
 */
export const addSiteDeletions = async (context: MigrationContext): Promise<void> => {
  const { db } = context;
  await createTable(
    context,
    'site_deletions',
    { site_id: 'text', organization_id: 'text', removed: 'text' },
    'site_id',
  );
  const take = async (table: 'devices' | 'gadgets' | 'gadget_triggers'): Promise<readonly Ids[]> => {
    const { rows } = await sql<Ids>`update ${sql.table(table)} set is_deleted = 1
      where is_deleted = 0 and site_id in (select id from sites where is_deleted = 1)
      returning id, site_id, organization_id`.execute(db);
    return rows;
  };
  const taken = {
    devices: await take('devices'),
    gadgets: await take('gadgets'),
    triggers: await take('gadget_triggers'),
  };
  for (const [site_id, devices] of Map.groupBy(taken.devices, row => row.site_id)) {
    const idsOf = (rows: readonly Ids[]): string[] => rows.filter(row => row.site_id === site_id).map(({ id }) => id);
    const removed = {
      devices: devices.map(({ id }) => ({ id, certificate_serials: [] })),
      gadget_ids: idsOf(taken.gadgets),
      trigger_ids: idsOf(taken.triggers),
      rules: [],
    };
    await sql`insert into site_deletions (site_id, organization_id, removed)
      values (${site_id}, ${devices[0]!.organization_id}, ${JSON.stringify(removed)})`.execute(db);
  }
};
