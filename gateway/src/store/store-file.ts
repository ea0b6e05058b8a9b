import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { openSqlite, PAGE_SIZE, type Sqlite, type SqliteStatement } from '@lintel/service/sqlite/open-sqlite';
import { type StorageErrorKind, storageErrorKind } from '@lintel/service/sqlite/storage-error';

const LAYOUT = `
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
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, cause: unknown) {
    super(`the store is ${kind}: ${(cause as Error).message}`, { cause });
    this.kind = kind;
  }
}

const openStore = (path: string, mostBytes: number): OpenStore =>
  new OpenStore(
    openSqlite(path, {
      layout: { version: 1, sql: LAYOUT },
      pragmas: {
        // What a loss of power takes from the log is still on the controllers, and comes again from there: a flush for
        // each commit would buy nothing. A killed process loses nothing either way.
        synchronous: 'NORMAL',
        cache_size: -8000,
        max_page_count: Math.ceil(mostBytes / PAGE_SIZE),
        // Events of people are deleted, not left behind in pages that are free.
        secure_delete: 'FAST',
      },
    }),
  );

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
  readonly #database: Sqlite;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(database: Sqlite) {
    this.#database = database;
  }

  prepare(sql: string): SqliteStatement {
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
      this.#store = openStore(this.#path, this.#mostBytes);
    } catch (error) {
      if (storageErrorKind(error) !== 'damaged') throw error;
      setAside(this.#path);
      this.#store = openStore(this.#path, this.#mostBytes);
      this.#onDamage();
    }
    return this.#store;
  }

  /** Throws a StoreError. */
  run<T>(work: (database: OpenStore) => T): T {
    try {
      return work(this.#open());
    } catch (error) {
      const kind = storageErrorKind(error);
      if (kind === 'damaged') this.#beginAnew();
      throw new StoreError(kind, error);
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
