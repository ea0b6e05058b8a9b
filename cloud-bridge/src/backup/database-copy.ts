import { join } from 'node:path';
import { toFileError } from '@lintel/service/data-folder/file-error';
import { openSqlite } from '@lintel/service/sqlite/open-sqlite';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { readMasterKeyCheckValues } from '../secrets/key-check-values.ts';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import { DatabaseUnavailableError } from '../storage/database-error.ts';
import { readAppliedMigrations } from '../storage/migrate.ts';
import { openPostgresWithoutMigrating } from '../storage/open-database-for-reading.ts';
import { buildSqliteFilePath } from '../storage/open-storage.ts';
import type { Database } from '../storage/schema.ts';
import { BackupError } from './backup-error.ts';
import { BACKUP_POSTGRES_PATH, BACKUP_SQLITE_PATH } from './archive-manifest.ts';
import { dumpPostgres } from './postgres-tools.ts';

/** A consistent copy of the database at one moment. */
export interface DatabaseCopy {
  readonly engine: DatabaseEngine;
  /** Path in the archive. */
  readonly path: string;
  readonly file: string;
  readonly migrations: string[];
  /** Check values of the master keys that the copy needs, by version. */
  readonly keyChecks: ReadonlyMap<number, string>;
}

/** More pages than a database has. Copying in one step, because a write between two steps starts the copy over. */
const ALL_PAGES = 2 ** 31 - 1;

const describe = async (db: Kysely<Database>): Promise<Pick<DatabaseCopy, 'migrations' | 'keyChecks'>> => {
  try {
    const migrations = await readAppliedMigrations(db as Kysely<unknown>);
    return { migrations: [...migrations], keyChecks: await readMasterKeyCheckValues(db) };
  } finally {
    await db.destroy();
  }
};

/** Throws a BackupError for a damaged database. */
export const requireIntactSqliteDatabase = (file: string): void => {
  const database = openSqlite(file);
  try {
    const result = database.pragma('integrity_check', { simple: true });
    if (result !== 'ok') throw new BackupError(`The database is damaged: ${String(result)}`);
  } finally {
    database.close();
  }
};

const copySqlite = async (dataDir: string, folder: string): Promise<DatabaseCopy> => {
  const file = join(folder, BACKUP_SQLITE_PATH);
  const source = buildSqliteFilePath(dataDir);
  try {
    const database = openSqlite(source, { isReadOnly: true });
    try {
      await database.backup(file, { progress: () => ALL_PAGES });
    } finally {
      database.close();
    }
    requireIntactSqliteDatabase(file);
  } catch (error) {
    throw error instanceof BackupError ? error : toFileError(source, error);
  }
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });
  return { engine: 'sqlite', path: BACKUP_SQLITE_PATH, file, ...(await describe(db)) };
};

const toUnavailable = (error: unknown): Error =>
  error instanceof BackupError
    ? error
    : new DatabaseUnavailableError(`The database of --database cannot be reached: ${(error as Error).message}`);

const copyPostgres = async (url: string, folder: string): Promise<DatabaseCopy> => {
  const file = join(folder, BACKUP_POSTGRES_PATH);
  await dumpPostgres(url, file);
  try {
    return {
      engine: 'postgres',
      path: BACKUP_POSTGRES_PATH,
      file,
      ...(await describe(openPostgresWithoutMigrating(url))),
    };
  } catch (error) {
    throw toUnavailable(error);
  }
};

/** Copies the database into the folder, also while a bridge uses it. */
export const copyDatabase = (dataDir: string, url: string | undefined, folder: string): Promise<DatabaseCopy> =>
  url === undefined ? copySqlite(dataDir, folder) : copyPostgres(url, folder);

/** Throws a BackupError if the PostgreSQL database has tables. */
export const requireEmptyPostgresDatabase = async (url: string): Promise<void> => {
  const db = openPostgresWithoutMigrating(url);
  try {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = current_schema() limit 1`.execute(
      db,
    );
    if (rows.length > 0)
      throw new BackupError('The database of --database is not empty. Create an empty one, and restore into that.');
  } catch (error) {
    throw toUnavailable(error);
  } finally {
    await db.destroy();
  }
};
