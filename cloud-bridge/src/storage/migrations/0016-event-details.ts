import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/** Facts of an event that are not about the client. Earlier events keep them in `subject_client`. */
export const addEventDetailsColumn = async ({ db }: MigrationContext): Promise<void> => {
  await sql.raw('alter table events add column details text').execute(db);
};
