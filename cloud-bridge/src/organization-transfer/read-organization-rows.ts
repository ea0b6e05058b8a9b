import { type Kysely, sql } from 'kysely';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { Database } from '../storage/schema.ts';
import type { TransferredRow } from './transfer-format.ts';
import type { DatabaseTableName, TransferredTable } from './transferred-tables.ts';

const ROWS_PER_FETCH = 1000;

/** Reads everything as of one moment. */
export const runInReadTransaction = <T>(
  { engine, reader }: Storage,
  work: (db: Kysely<Database>) => Promise<T>,
): Promise<T> => {
  const transaction = reader.transaction();
  return (engine === 'postgres' ? transaction.setIsolationLevel('repeatable read') : transaction).execute(work);
};

/** The rows of the organization, without loading all of them. Requires a transaction. */
export async function* readOrganizationRows(
  db: Kysely<Database>,
  engine: DatabaseEngine,
  [table, { rowsOf }]: readonly [DatabaseTableName, TransferredTable],
  organizationId: string,
): AsyncGenerator<TransferredRow> {
  const query = db
    .selectFrom(table as 'members')
    .selectAll()
    .where(rowsOf(organizationId));
  if (engine === 'sqlite') {
    for await (const row of query.stream()) yield { ...row };
    return;
  }
  await sql`declare transferred no scroll cursor for ${query}`.execute(db);
  for (;;) {
    const { rows } = await sql<TransferredRow>`fetch ${sql.lit(ROWS_PER_FETCH)} from transferred`.execute(db);
    yield* rows;
    if (rows.length < ROWS_PER_FETCH) break;
  }
  await sql`close transferred`.execute(db);
}
