import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/** Whom guests call, and whether their page shows PINs. */
export const addGuestPageSettings = async ({ db }: MigrationContext): Promise<void> => {
  const columns = ['guest_contact_name text', 'guest_contact_phone text', "guest_pins text not null default 'online'"];
  for (const column of columns) await sql.raw(`alter table organizations add column ${column}`).execute(db);
};
