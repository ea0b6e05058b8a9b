import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/** When the user of a session last proved a password or a passkey. */
export const addSessionAuthenticationTime = async ({ db, engine }: MigrationContext): Promise<void> => {
  const type = engine === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table sessions add column authenticated_at ${type} not null default 0`).execute(db);
};
