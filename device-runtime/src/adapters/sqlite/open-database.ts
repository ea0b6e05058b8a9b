import SqliteDatabase from 'better-sqlite3';

export type Database = SqliteDatabase.Database;

export const PAGE_SIZE = 4096;
/** A backstop: the log is written back to the file while the door is idle, long before it has so many pages. */
const CHECKPOINT_PAGES = 8_000;

/** Flushed with every commit (write-ahead log, full). `layout` is run on a new file only; `version` is its number. */
export const openDatabase = (file: string, version: number, layout: string): Database => {
  const database = new SqliteDatabase(file);
  try {
    database.pragma(`page_size = ${PAGE_SIZE}`);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
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

/** The bytes of the file are not what was written. */
export const isDamage = (error: unknown): boolean =>
  error instanceof SqliteDatabase.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code);

export const isFull = (error: unknown): boolean =>
  error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_FULL');
