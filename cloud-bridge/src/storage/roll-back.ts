import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/** Does not fail if the connection is lost, or if the database has rolled back already because its disk is full. */
export const rollBack = async (db: Kysely<Database>): Promise<void> => {
  await sql
    .raw('rollback')
    .execute(db)
    .catch(() => undefined);
};
