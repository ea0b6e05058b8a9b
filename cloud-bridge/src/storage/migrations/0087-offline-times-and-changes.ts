import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/**
 * Since when a device is offline, and what a change changed. Devices that are offline already get the time of their
 * latest event about it.
 */
export const addOfflineTimesAndChanges = async ({ db }: MigrationContext): Promise<void> => {
  await sql.raw('alter table device_links add column offline_since bigint').execute(db);
  await sql.raw('alter table events add column changes text').execute(db);
  await sql
    .raw(
      `update device_links set offline_since = coalesce((select max(e.created_at) from events as e
        where e.organization_id = device_links.organization_id and e.object_device_id = device_links.device_id
          and e.object_type = 'device' and e.reason = 'offline'), seen_at)
      where session_nonce is null and seen_at is not null`,
    )
    .execute(db);
};
