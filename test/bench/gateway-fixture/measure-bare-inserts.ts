import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { buildSqliteFilePath } from '@lintel/cloud-bridge/testing';

interface SchemaRow {
  readonly sql: string;
}

type EventRow = Readonly<Record<string, unknown>>;

/**
 * Inserts the events of the bridge again, in a table with the same indexes in a new file. Flushes after each batch. Returns
 * the events per second.
 */
export const measureBareInserts = (dataDir: string, batch: number): number => {
  const bridge = new SqliteDatabase(buildSqliteFilePath(dataDir), { readonly: true });
  const schema = bridge
    .prepare(
      "select sql from sqlite_master where tbl_name = 'events' and type in ('table', 'index') and sql is not null",
    )
    .all() as SchemaRow[];
  const rows = bridge.prepare('select * from events').all() as EventRow[];
  bridge.close();
  const bare = new SqliteDatabase(join(dataDir, 'bare-inserts.db'));
  bare.pragma('journal_mode = WAL');
  bare.pragma('synchronous = FULL');
  for (const { sql } of schema) bare.exec(sql);
  const columns = Object.keys(rows[0] ?? {});
  const insert = bare.prepare(
    `insert into events (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  const insertAll = bare.transaction((batchRows: readonly EventRow[]) => {
    for (const row of batchRows) insert.run(...columns.map(column => row[column]));
  });
  const start = performance.now();
  for (let at = 0; at < rows.length; at += batch) insertAll(rows.slice(at, at + batch));
  const seconds = (performance.now() - start) / 1000;
  bare.close();
  return rows.length / seconds;
};
