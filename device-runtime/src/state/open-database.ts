import { chmodSync, closeSync, openSync, readFileSync, statSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';

export type Database = SqliteDatabase.Database;

export const PAGE_SIZE = 4096;
/** A backstop: the log is written back to the file while the door is idle, long before it has so many pages. */
const CHECKPOINT_PAGES = 8_000;

/** Who may use a file. `exclusive`: this process alone, and then it can be read where nothing can be written any more. */
type Locking = 'normal' | 'exclusive';

/** The log beside a file gets the rights of the file. */
const keepPrivate = (file: string | Buffer): void => {
  if (typeof file !== 'string' || file === ':memory:') return;
  try {
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
  } catch {
    // Where nothing can be written it stays as it is, and SQLite says what it makes of that.
  }
};

/** Flushed with every commit (write-ahead log, full). `layout` is run on a new file only; `version` is its number. */
export const openDatabase = (
  file: string | Buffer,
  version: number,
  layout: string,
  locking: Locking = 'normal',
): Database => {
  keepPrivate(file);
  const database = new SqliteDatabase(file);
  try {
    // Ahead of the log's first use: its index is kept in memory then, not in a file that a full disk has no room for.
    database.pragma(`locking_mode = ${locking}`);
    database.pragma(`page_size = ${PAGE_SIZE}`);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('cell_size_check = ON');
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    database.pragma('cache_size = -4000');
    if (database.pragma('user_version', { simple: true }) === 0) {
      database.transaction(() => {
        database.exec(layout);
        database.pragma(`user_version = ${version}`);
      })();
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

const WRITE_VERSION = 18;
const READ_VERSION = 19;

/**
 * The bytes of a file that cannot be opened where nothing may be written, to be opened as a database in memory. Throws
 * when something of it is still in its log.
 */
export const bytesOf = (file: string): Buffer => {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw new Error('its log cannot be read');
  const bytes = readFileSync(file);
  // A database in memory has no log.
  bytes[WRITE_VERSION] = 1;
  bytes[READ_VERSION] = 1;
  return bytes;
};

/** Damage that SQLite itself does not see. */
export class FoundDamage extends Error {
  override readonly name = 'FoundDamage';
}

/** The bytes of the file are not what was written. */
export const isDamage = (error: unknown): boolean =>
  error instanceof FoundDamage ||
  (error instanceof SqliteDatabase.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code));

export const isFull = (error: unknown): boolean =>
  error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_FULL');
