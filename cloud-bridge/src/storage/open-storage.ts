import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '@lintel/service/sqlite/open-sqlite';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { type CustomTypesConfig, Pool, types } from 'pg';
import { type CachedDatabase, withCachedStatements } from './cached-statements.ts';
import type { DatabaseEngine } from './database-engine.ts';
import { migrateDatabase } from './migrate.ts';
import { type RowReader, createPostgresRowReader, createSqliteRowReader } from './row-reader.ts';
import type { Database } from './schema.ts';

/**
 * Reader and writer of one database. Two connections with SQLite, so that reads never wait for a commit; one pool with
 * PostgreSQL.
 */
export interface Storage {
  readonly engine: DatabaseEngine;
  readonly reader: Kysely<Database>;
  readonly writer: Kysely<Database>;
  /** Like `reader`, for composed SQL. Faster than the query builder. */
  readonly rows: RowReader;
  /** Number of connections by state. */
  connections(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

export interface StorageOptions {
  /** `postgres://…`. Default: a SQLite file in `dataDir`. */
  readonly url?: string | undefined;
  readonly dataDir: string;
  readonly now: number;
  /** Called with every statement, for metrics and tracing. */
  readonly onQuery?: (sql: string) => void;
}

const INT8 = 20;

/** All stored integers are below 2^53 (microseconds since 1970 until the year 2255). */
const postgresTypes: CustomTypesConfig = {
  getTypeParser: ((...args: Parameters<typeof types.getTypeParser>) =>
    (args[0] as number) === INT8 ? Number : types.getTypeParser(...args)) as typeof types.getTypeParser,
};

const sqlitePragmas = { busy_timeout: 10_000, cache_size: -65_536, mmap_size: 2 ** 30 };

const openPostgresStorage = async ({ url, now, onQuery }: StorageOptions): Promise<Storage> => {
  const pool = new Pool({ connectionString: url, max: 20, types: postgresTypes });
  // The pool replaces broken idle connections. Without a listener the error would end the process.
  pool.on('error', () => undefined);
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    ...(onQuery === undefined ? {} : { log: event => onQuery(event.query.sql) }),
  });
  await migrateDatabase(db as Kysely<unknown>, 'postgres', now);
  return {
    engine: 'postgres',
    reader: db,
    writer: db,
    rows: createPostgresRowReader(pool, onQuery),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => db.destroy(),
  };
};

const openSqliteStorage = async ({ dataDir, now, onQuery }: StorageOptions): Promise<Storage> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'bridge.sqlite');
  const log = onQuery === undefined ? {} : { log: (event: { query: { sql: string } }) => onQuery(event.query.sql) };
  const openKysely = (database: CachedDatabase): Kysely<Database> =>
    new Kysely({ dialect: new SqliteDialect({ database }), ...log });
  const writer = openKysely(withCachedStatements(openSqlite(file, { pragmas: sqlitePragmas })));
  await migrateDatabase(writer as Kysely<unknown>, 'sqlite', now);
  const readOnly = withCachedStatements(openSqlite(file, { pragmas: sqlitePragmas, isReadOnly: true }));
  const reader = openKysely(readOnly);
  return {
    engine: 'sqlite',
    reader,
    writer,
    rows: createSqliteRowReader(readOnly, onQuery),
    connections: () => ({ open: 2 }),
    close: async () => {
      await reader.destroy();
      await writer.destroy();
    },
  };
};

export const openStorage = (options: StorageOptions): Promise<Storage> =>
  options.url === undefined ? openSqliteStorage(options) : openPostgresStorage(options);
