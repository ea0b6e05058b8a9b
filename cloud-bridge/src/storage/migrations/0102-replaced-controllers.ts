import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/** When a replaced controller tried to log in, at most once a day, and where it is. */
export const addReplacedControllers = async ({ db, engine }: MigrationContext): Promise<void> => {
  const text = engine === 'sqlite' ? 'text' : 'text collate "C"';
  for (const column of ['replaced_login_at bigint', `replaced_login_address ${text}`])
    await sql.raw(`alter table device_certificates add column ${column}`).execute(db);
};
