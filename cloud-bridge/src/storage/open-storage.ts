import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '@lintel/service/sqlite/open-sqlite';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { type CustomTypesConfig, Pool, types } from 'pg';
import { type CachedDatabase, withCachedStatements } from './cached-statements.ts';
import type { Engine } from './engine.ts';
import { migrate } from './migrate.ts';
import { type RowReader, rowsOfPool, rowsOfSqlite } from './row-reader.ts';
import type { Database } from './schema.ts';

/**
 * Two ways into one database. On SQLite they are two connections, so that a page of a list never waits for a commit; on
 * PostgreSQL they are one pool.
 */
export interface Storage {
  readonly engine: Engine;
  readonly reader: Kysely<Database>;
  readonly writer: Kysely<Database>;
  /** The same as `reader`, for statements that are put together already: the shortest way to rows. */
  readonly rows: RowReader;
  /** How many connections there are, by state. */
  connections(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

export interface StorageOptions {
  /** `postgres://…`; without it a file in `dataDir`. */
  readonly url?: string | undefined;
  readonly dataDir: string;
  readonly now: number;
  /** Sees every statement before it runs: counting and tracing. */
  readonly onQuery?: (sql: string) => void;
}

const INT8 = 20;

/** Our whole numbers stay below 2^53: microseconds since 1970 do until the year 2255. */
const postgresTypes: CustomTypesConfig = {
  getTypeParser: ((...asked: Parameters<typeof types.getTypeParser>) =>
    (asked[0] as number) === INT8 ? Number : types.getTypeParser(...asked)) as typeof types.getTypeParser,
};

const sqlitePragmas = { busy_timeout: 10_000, cache_size: -65_536, mmap_size: 2 ** 30 };

const openPostgresStorage = async ({ url, now, onQuery }: StorageOptions): Promise<Storage> => {
  const pool = new Pool({ connectionString: url, max: 20, types: postgresTypes });
  // An idle connection that dies is replaced by the pool; without a listener its error would end the process.
  pool.on('error', () => undefined);
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    ...(onQuery === undefined ? {} : { log: event => onQuery(event.query.sql) }),
  });
  await migrate(db as Kysely<unknown>, 'postgres', now);
  return {
    engine: 'postgres',
    reader: db,
    writer: db,
    rows: rowsOfPool(pool, onQuery),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => db.destroy(),
  };
};

const openSqliteStorage = async ({ dataDir, now, onQuery }: StorageOptions): Promise<Storage> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'bridge.sqlite');
  const log = onQuery === undefined ? {} : { log: (event: { query: { sql: string } }) => onQuery(event.query.sql) };
  const through = (database: CachedDatabase): Kysely<Database> =>
    new Kysely({ dialect: new SqliteDialect({ database }), ...log });
  const writer = through(withCachedStatements(openSqlite(file, { pragmas: sqlitePragmas })));
  await migrate(writer as Kysely<unknown>, 'sqlite', now);
  const readOnly = withCachedStatements(openSqlite(file, { pragmas: sqlitePragmas, isReadOnly: true }));
  const reader = through(readOnly);
  return {
    engine: 'sqlite',
    reader,
    writer,
    rows: rowsOfSqlite(readOnly, onQuery),
    connections: () => ({ open: 2 }),
    close: async () => {
      await reader.destroy();
      await writer.destroy();
    },
  };
};

export const openStorage = (options: StorageOptions): Promise<Storage> =>
  options.url === undefined ? openSqliteStorage(options) : openPostgresStorage(options);
