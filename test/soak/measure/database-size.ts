import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Client } from 'pg';

export const SQLITE_FILE = 'bridge.sqlite';

/** Bytes of each table with its indexes, and the number of stored events. */
interface DatabaseSize {
  readonly tables: Readonly<Record<string, number>>;
  readonly events: number;
}

interface TableRow {
  readonly name: string;
  readonly bytes: number | string;
}

const toSize = (rows: readonly TableRow[], events: number): DatabaseSize => ({
  tables: Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)])),
  events,
});

const readSqliteSize = (file: string): DatabaseSize => {
  const database = new SqliteDatabase(file, { readonly: true, timeout: 5000 });
  try {
    const rows = database
      .prepare(
        `select coalesce(s.tbl_name, d.name) as name, sum(d.pgsize) as bytes
         from dbstat as d left join sqlite_schema as s on s.name = d.name where d.aggregate = true group by 1`,
      )
      .all() as TableRow[];
    return toSize(rows, database.prepare('select count(*) from events').pluck().get() as number);
  } finally {
    database.close();
  }
};

const readPostgresSize = async (url: string): Promise<DatabaseSize> => {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<TableRow>(
      `select coalesce(parent.relname, own.relname) as name, sum(pg_total_relation_size(own.oid)) as bytes
       from pg_class as own left join pg_inherits as i on i.inhrelid = own.oid
       left join pg_class as parent on parent.oid = i.inhparent
       where own.relkind = 'r' and own.relnamespace = 'public'::regnamespace group by 1`,
    );
    const events = await client.query<{ count: string }>('select count(*) from events');
    return toSize(rows, Number(events.rows[0]!.count));
  } finally {
    await client.end();
  }
};

/** `url`: of PostgreSQL; null for SQLite in the data folder of the bridge. */
export const readDatabaseSize = async (url: string | null, bridgeDir: string): Promise<DatabaseSize> =>
  url === null ? readSqliteSize(join(bridgeDir, SQLITE_FILE)) : readPostgresSize(url);
