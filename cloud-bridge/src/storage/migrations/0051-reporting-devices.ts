import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/** The device that reported an event, and the member groups of the snapshots that controllers serve already. */
export const addReportingDevices = async ({ db, engine }: MigrationContext): Promise<void> => {
  const isSqlite = engine === 'sqlite';
  await sql.raw(`alter table events add column reported_by ${isSqlite ? 'text' : 'text collate "C"'}`).execute(db);
  const groups = isSqlite
    ? `select s.device_id, s.organization_id, g.value from device_sync as s, json_each(s.scope, '$.groups') as g where true`
    : `select s.device_id, s.organization_id, g.value
       from device_sync as s, json_array_elements_text(s.scope::json -> 'groups') as g(value)`;
  await sql
    .raw(
      `insert into device_member_groups (device_id, organization_id, member_group_id) ${groups} on conflict do nothing`,
    )
    .execute(db);
};
