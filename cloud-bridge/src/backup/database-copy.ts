import { join } from 'node:path';
import { toFileError } from '@lintel/service/data-folder/file-error';
import { openSqlite } from '@lintel/service/sqlite/open-sqlite';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { readMasterKeyCheckValues } from '../secrets/key-check-values.ts';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import { DatabaseUnavailableError } from '../storage/database-error.ts';
import { listPendingMigrations, readAppliedMigrations } from '../storage/migrate.ts';
import { openPostgresWithoutMigrating } from '../storage/open-database-for-reading.ts';
import { buildSqliteFilePath } from '../storage/open-storage.ts';
import type { Database } from '../storage/schema.ts';
import { BackupError } from './backup-error.ts';
import { BACKUP_POSTGRES_PATH, BACKUP_SQLITE_PATH, type BackupManifest } from './archive-manifest.ts';
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
  readonly contents: NonNullable<BackupManifest['contents']>;
}

/** More pages than a database has. Copying in one step, because a write between two steps starts the copy over. */
const ALL_PAGES = 2 ** 31 - 1;

const countRows = async (db: Kysely<Database>, table: 'organizations' | 'members'): Promise<number> => {
  const { count } = await db
    .selectFrom(table)
    .where('is_deleted', '=', 0)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Throws a BackupError for a database that no bridge has used. */
const describe = async (db: Kysely<Database>): Promise<Pick<DatabaseCopy, 'migrations' | 'keyChecks' | 'contents'>> => {
  try {
    const isUnused = (await listPendingMigrations(db as Kysely<unknown>)) === null;
    const keyChecks = isUnused ? new Map<number, string>() : await readMasterKeyCheckValues(db);
    const organizations = isUnused ? 0 : await countRows(db, 'organizations');
    // A bridge records its keys at its first start.
    if (keyChecks.size === 0 && organizations === 0)
      throw new BackupError(
        'The database is empty: no bridge has used it. Check --data and --database: the data of the bridge are elsewhere.',
      );
    return {
      migrations: [...(await readAppliedMigrations(db as Kysely<unknown>))],
      keyChecks,
      contents: { organizations, members: await countRows(db, 'members') },
    };
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
