import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';

type Database = SqliteDatabase.Database;

const VERSION = 1;
const PAGE_SIZE = 4096;

const layout = `
  -- An id is never given twice: what was sent up to one of them is known by it.
  create table frames (
    id integer primary key autoincrement,
    device text not null,
    serial text not null,
    kind text not null,
    last_sequence integer not null,
    event_count integer not null,
    spans text not null,
    received_at integer not null,
    bytes integer not null,
    payload blob not null
  );
  create index frames_by_device on frames (device, id);
  create table shelf (id integer primary key, device text not null, kind text not null, payload blob not null);
  create index shelf_by_device on shelf (device, id);
  create table revocations (counter integer primary key, revision integer not null, payload blob not null);
  create table served (device text primary key, revision integer not null) without rowid;
`;

/** Why something could not be kept. Nothing is lost by it: controllers keep their events until the bridge has them. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
  readonly kind: 'full' | 'damaged' | 'failed';

  constructor(kind: StoreFailure['kind'], cause: unknown) {
    super(`the store is ${kind}: ${(cause as Error).message}`, { cause });
    this.kind = kind;
  }
}

const kindOf = (error: unknown): StoreFailure['kind'] => {
  const code = (error as { readonly code?: unknown }).code;
  if (typeof code !== 'string') return 'failed';
  if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC') return 'full';
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(code) ? 'damaged' : 'failed';
};

const opened = (path: string, mostBytes: number): Database => {
  const database = new SqliteDatabase(path);
  try {
    database.pragma(`page_size = ${PAGE_SIZE}`);
    database.pragma('journal_mode = WAL');
    // What a loss of power takes from the log is still on the controllers, and comes again from there: a flush for each
    // commit would buy nothing. A killed process loses nothing either way.
    database.pragma('synchronous = NORMAL');
    database.pragma('cache_size = -8000');
    database.pragma(`max_page_count = ${Math.ceil(mostBytes / PAGE_SIZE)}`);
    // Events of people are deleted, not left behind in pages that are free.
    database.pragma('secure_delete = FAST');
    if (database.pragma('user_version', { simple: true }) === 0) {
      database.transaction(() => {
        database.exec(layout);
        database.pragma(`user_version = ${VERSION}`);
      })();
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

const files = (path: string): string[] => ['', '-wal', '-shm'].map(suffix => path + suffix);

/** Beside its place, for somebody to look at; of several only the last is kept. */
const setAside = (path: string): void => {
  for (const file of files(path)) {
    rmSync(`${file}.damaged`, { force: true });
    if (existsSync(file)) renameSync(file, `${file}.damaged`);
  }
};

/** The open file, with each statement prepared once. */
class OpenStore {
  readonly #database: Database;
  readonly #statements = new Map<string, SqliteDatabase.Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  prepare(sql: string): SqliteDatabase.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#database.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }

  transaction<T>(work: () => T): () => T {
    return this.#database.transaction(work);
  }

  close(): void {
    this.#database.close();
  }
}

/** The SQLite file of the gateway. One that is damaged is set aside and begun anew. */
export class StoreFile {
  readonly #path: string;
  readonly #mostBytes: number;
  readonly #onDamage: () => void;
  #store: OpenStore | null = null;

  /** `onDamage`: everything that was in it has to come again. */
  constructor(path: string, mostBytes: number, onDamage: () => void) {
    this.#path = path;
    this.#mostBytes = mostBytes;
    this.#onDamage = onDamage;
  }

  #open(): OpenStore {
    if (this.#store !== null) return this.#store;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    try {
      this.#store = new OpenStore(opened(this.#path, this.#mostBytes));
    } catch (error) {
      if (kindOf(error) !== 'damaged') throw error;
      setAside(this.#path);
      this.#store = new OpenStore(opened(this.#path, this.#mostBytes));
      this.#onDamage();
    }
    return this.#store;
  }

  /** Throws a StoreFailure. */
  run<T>(work: (database: OpenStore) => T): T {
    try {
      return work(this.#open());
    } catch (error) {
      const kind = kindOf(error);
      if (kind === 'damaged') this.#beginAnew();
      throw new StoreFailure(kind, error);
    }
  }

  #beginAnew(): void {
    this.close();
    setAside(this.#path);
    this.#onDamage();
  }

  close(): void {
    try {
      this.#store?.close();
    } catch {
      // A file that cannot be written is closed all the same.
    }
    this.#store = null;
  }
}
