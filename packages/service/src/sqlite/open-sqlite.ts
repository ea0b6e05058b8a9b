import { chmodSync, closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';

export type SqliteConnection = SqliteDatabase.Database;
export type SqliteStatement<Bound extends unknown[] = unknown[], Row = unknown> = SqliteDatabase.Statement<Bound, Row>;

export const SQLITE_PAGE_SIZE = 4096;

export interface SqliteOptions {
  /** Created in a new file only; a file with a layout of any version stays as it is. */
  readonly layout?: { readonly version: number; readonly sql: string };
  /** `exclusive`: for this process only. The file then stays readable when the disk becomes read-only. */
  readonly locking?: 'normal' | 'exclusive';
  readonly isReadOnly?: boolean;
  /** Applied after the defaults: write-ahead log, every commit flushed (`synchronous = FULL`). */
  readonly pragmas?: Readonly<Record<string, string | number>>;
}

/** SQLite creates the write-ahead log with the mode of the file. */
const makePrivate = (file: string): void => {
  try {
    // Closing a descriptor of a file in use would release the locks of its connections in this process.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
  } catch {
    // On a read-only disk the file stays as it is, and SQLite reports the error.
  }
};

const createLayout = (database: SqliteConnection, { version, sql }: NonNullable<SqliteOptions['layout']>): void => {
  if (database.pragma('user_version', { simple: true }) !== 0) return;
  database.transaction(() => {
    database.exec(sql);
    database.pragma(`user_version = ${version}`);
  })();
};

/** Opens or creates a file that only its owner can read. A Buffer is opened as a database in memory. */
export const openSqlite = (file: string | Buffer, options: SqliteOptions = {}): SqliteConnection => {
  const { layout, locking = 'normal', isReadOnly = false, pragmas = {} } = options;
  if (typeof file === 'string' && file !== ':memory:' && !isReadOnly) makePrivate(file);
  const database = new SqliteDatabase(file, { readonly: isReadOnly });
  try {
    // Before the first use of the log, so that its index is in memory and needs no disk space.
    database.pragma(`locking_mode = ${locking}`);
    database.pragma(`page_size = ${SQLITE_PAGE_SIZE}`);
    database.pragma('journal_mode = WAL');
    for (const [name, value] of Object.entries({ synchronous: 'FULL', ...pragmas }))
      database.pragma(`${name} = ${value}`);
    if (layout !== undefined) createLayout(database, layout);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/** Opens a damaged file to recover its readable rows. */
export const openDamagedSqlite = (file: string): SqliteConnection => {
  const database = new SqliteDatabase(file, { fileMustExist: true });
  // Both together let SQLite read a file that is shorter than its header says.
  database.unsafeMode();
  database.pragma('writable_schema = ON');
  return database;
};

const WRITE_VERSION = 18;
const READ_VERSION = 19;

/** The bytes of a file on a read-only disk, to be opened as a database in memory. Throws when data is still in the log. */
export const readSqliteFileForMemory = (file: string): Buffer => {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new Error('The write-ahead log cannot be read');
  const bytes = readFileSync(file);
  // A database in memory has no log.
  bytes[WRITE_VERSION] = 1;
  bytes[READ_VERSION] = 1;
  return bytes;
};
