import { sql, type Kysely } from 'kysely';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import { createJsonRowsParameter } from '../storage/rows-as-json-parameter.ts';
import type { Database } from '../storage/schema.ts';

export const ROWS_PER_INSERT = 500;

/** False for rows with a value that is not the same in JSON, such as bytes. */
export const canInsertAsJson = (row: object): boolean =>
  Object.values(row).every(value => value === null || typeof value === 'string' || Number.isSafeInteger(value));

export const insertRow = async (db: Kysely<Database>, table: keyof Database, row: object): Promise<void> => {
  const entries = Object.entries(row);
  const columns = sql.join(entries.map(([column]) => sql.id(column)));
  const values = sql.join(entries.map(([, value]) => sql.val(value)));
  await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(db);
};

/**
 * Inserts rows with the same columns. The rows are one parameter: most columns of an event are null, and a parameter for each
 * would take longer than the insert.
 */
export const insertRows = async (
  db: Kysely<Database>,
  engine: DatabaseEngine,
  table: keyof Database,
  rows: readonly object[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    const batch = rows.slice(from, from + ROWS_PER_INSERT) as readonly Readonly<Record<string, unknown>>[];
    const columns: Record<string, 'int' | 'text'> = {};
    for (const name of Object.keys(batch[0]!)) {
      const value = batch.find(row => row[name] !== null)?.[name];
      if (value !== undefined) columns[name] = typeof value === 'number' ? 'int' : 'text';
    }
    const names = Object.keys(columns);
    await sql`insert into ${sql.table(table)} (${sql.join(names.map(name => sql.id(name)))})
      select ${sql.join(names.map(name => sql.id('o', name)))}
      from ${createJsonRowsParameter(engine, columns, batch)}`.execute(db);
  }
};
