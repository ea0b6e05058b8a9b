import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/** When the controller of a device was reported as stolen. */
export const addStolenControllers = async ({ db }: MigrationContext): Promise<void> => {
  await sql.raw('alter table device_links add column stolen_at bigint').execute(db);
};
