import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { toFileError } from '@lintel/service/data-folder/file-error';
import type { Log } from '@lintel/service/log-function-type';
import { openSqlite } from '@lintel/service/sqlite/open-sqlite';
import { classifyStorageError } from '@lintel/service/sqlite/storage-error';
import { Kysely, type LogEvent, PostgresDialect, type PostgresPool, SqliteDialect } from 'kysely';
import { type CustomTypesConfig, types } from 'pg';
import { type CachedDatabase, withCachedStatements } from './cached-statements.ts';
import type { DatabaseEngine } from './database-engine-type.ts';
import { migrateDatabase } from './migrate.ts';
import { type SqlQueryRunner, createPostgresQueryRunner, createSqliteQueryRunner } from './sql-query-runner.ts';
import type { Database } from './schema.ts';
import { writeSpaceProbe } from './space-probe.ts';
import { StorageMonitor } from './storage-monitor.ts';
import { SupervisedPostgresPool } from './supervised-postgres-pool.ts';

/**
 * Reader and writer of one database. Two connections with SQLite, so that reads never wait for a commit; one pool with
 * PostgreSQL.
 */
export interface Storage {
  readonly engine: DatabaseEngine;
  readonly reader: Kysely<Database>;
  readonly writer: Kysely<Database>;
  /** Like `reader`, for composed SQL. Faster than the query builder. */
  readonly rows: SqlQueryRunner;
  readonly monitor: StorageMonitor;
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
  /** Receives the start and the end of outages. Default: none. */
  readonly log?: Log | undefined;
}

const INT8 = 20;

/** All stored integers are below 2^53 (microseconds since 1970 until the year 2255). */
const postgresTypes: CustomTypesConfig = {
  getTypeParser: ((...args: Parameters<typeof types.getTypeParser>) =>
    (args[0] as number) === INT8 ? Number : types.getTypeParser(...args)) as typeof types.getTypeParser,
};

const noLog: Log = () => undefined;

const closeOnError = async (db: Kysely<Database>, opening: Promise<void>): Promise<void> => {
  try {
    await opening;
  } catch (error) {
    await db.destroy();
    throw error;
  }
};

const sqlitePragmas = { busy_timeout: 10_000, cache_size: -65_536, mmap_size: 2 ** 30 };

const statementLog =
  (monitor: StorageMonitor, onQuery: StorageOptions['onQuery']) =>
  (event: LogEvent): void => {
    onQuery?.(event.query.sql);
    monitor.onDuration(event.queryDurationMillis / 1000);
    if (event.level === 'error') monitor.onError(event.error);
  };

const measureReads = (rows: SqlQueryRunner, monitor: StorageMonitor): SqlQueryRunner => ({
  engine: rows.engine,
  read: async query => {
    const start = performance.now();
    try {
      return await rows.read(query);
    } catch (error) {
      monitor.onError(error);
      throw error;
    } finally {
      monitor.onDuration((performance.now() - start) / 1000);
    }
  },
});

const openPostgresStorage = async ({ url, now, onQuery, log }: StorageOptions): Promise<Storage> => {
  const monitor = new StorageMonitor(log ?? noLog);
  const pool = new SupervisedPostgresPool({ connectionString: url, max: 20, types: postgresTypes }, monitor.connection);
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool }),
    log: statementLog(monitor, onQuery),
  });
  await closeOnError(db, migrateDatabase(db as Kysely<unknown>, 'postgres', now));
  monitor.start(() => writeSpaceProbe(db));
  return {
    engine: 'postgres',
    reader: db,
    writer: db,
    rows: measureReads(createPostgresQueryRunner(pool, onQuery, log ?? noLog), monitor),
    monitor,
    connections: () => pool.counts(),
    close: () => {
      monitor.stop();
      return db.destroy();
    },
  };
};

export const buildSqliteFilePath = (dataDir: string): string => join(dataDir, 'bridge.sqlite');

const openSqliteStorage = async ({ dataDir, now, onQuery, log }: StorageOptions): Promise<Storage> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = buildSqliteFilePath(dataDir);
  const monitor = new StorageMonitor(log ?? noLog);
  const openKysely = (database: CachedDatabase): Kysely<Database> =>
    new Kysely({ dialect: new SqliteDialect({ database }), log: statementLog(monitor, onQuery) });
  const openDatabase = (isReadOnly: boolean): CachedDatabase => {
    try {
      return withCachedStatements(openSqlite(file, { pragmas: sqlitePragmas, isReadOnly }));
    } catch (error) {
      throw toFileError(file, error);
    }
  };
  const writer = openKysely(openDatabase(false));
  try {
    await closeOnError(writer, migrateDatabase(writer as Kysely<unknown>, 'sqlite', now));
  } catch (error) {
    throw classifyStorageError(error) === 'damaged' ? toFileError(file, error) : error;
  }
  monitor.start(() => writeSpaceProbe(writer));
  const readOnly = openDatabase(true);
  const reader = openKysely(readOnly);
  return {
    engine: 'sqlite',
    reader,
    writer,
    rows: measureReads(createSqliteQueryRunner(readOnly, onQuery), monitor),
    monitor,
    connections: () => ({ open: 2 }),
    close: async () => {
      monitor.stop();
      await reader.destroy();
      // Kysely closes only connections that it has used.
      readOnly.close();
      // Last, so that it moves the write-ahead log into the database file. A read-only connection cannot.
      await writer.destroy();
    },
  };
};

export const openStorage = (options: StorageOptions): Promise<Storage> =>
  options.url === undefined ? openSqliteStorage(options) : openPostgresStorage(options);
