import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/** Gives events of technician passes an object type and an id of their own. They were events of their site. */
export const separateTechnicianPassEvents = async ({ db, engine }: MigrationContext): Promise<void> => {
  const text = engine === 'sqlite' ? 'text' : 'text collate "C"';
  await sql.raw(`alter table events add column object_technician_pass_id ${text}`).execute(db);
  await sql
    .raw(
      `update events set object_type = 'technician_pass', reason = null
        where verb = 'create' and object_type = 'site' and reason = 'technician_pass'`,
    )
    .execute(db);
};
