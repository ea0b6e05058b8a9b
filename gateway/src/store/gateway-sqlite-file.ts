import { isMissingOrUsableFile } from '@lintel/service/data-folder/damaged-file';
import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  openSqlite,
  SQLITE_PAGE_SIZE,
  type SqliteConnection,
  type SqliteStatement,
} from '@lintel/service/sqlite/open-sqlite';
import { type StorageErrorKind, classifyStorageError } from '@lintel/service/sqlite/storage-error';

const LAYOUT = `
  -- Ids are never reused, because the last id sent marks the position in the queue.
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

/** The store failed. No event is lost: controllers keep their events until the bridge acknowledges them. */
export class GatewayStoreError extends Error {
  override readonly name = 'GatewayStoreError';
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, cause: unknown) {
    super(`Store ${kind}: ${(cause as Error).message}`, { cause });
    this.kind = kind;
  }
}

const openStore = (path: string, maxBytes: number): OpenStore =>
  new OpenStore(
    openSqlite(path, {
      layout: { version: 1, sql: LAYOUT },
      pragmas: {
        // Controllers still have what a power cut takes from the log and send it again, so a flush per commit gains nothing.
        // A killed process loses nothing either way.
        synchronous: 'NORMAL',
        cache_size: -8000,
        max_page_count: Math.ceil(maxBytes / SQLITE_PAGE_SIZE),
        // Overwrites deleted events, which are personal data, instead of leaving them in free pages.
        secure_delete: 'FAST',
      },
    }),
  );

const files = (path: string): string[] => ['', '-wal', '-shm'].map(suffix => path + suffix);

/** Renames the damaged file for inspection, replacing an earlier one. */
const archiveDamaged = (path: string): void => {
  for (const file of files(path)) {
    rmSync(`${file}.damaged`, { force: true, recursive: true });
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) renameSync(file, `${file}.damaged`);
  }
};

/** The open file, with each statement prepared once. */
class OpenStore {
  readonly #database: SqliteConnection;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(database: SqliteConnection) {
    this.#database = database;
  }

  prepare(sql: string): SqliteStatement {
    const prepared = this.#statements.get(sql);
    if (prepared !== undefined) return prepared;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  transaction<T>(work: () => T): () => T {
    return this.#database.transaction(work);
  }

  close(): void {
    this.#database.close();
  }
}

/** The SQLite file of the gateway. A damaged file is archived and replaced by an empty one. */
export class GatewayStoreFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #onDamage: () => void;
  #store: OpenStore | null = null;

  /** `onDamage`: the contents are lost, and controllers must send their events again. */
  constructor(path: string, maxBytes: number, onDamage: () => void) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#onDamage = onDamage;
  }

  #open(): OpenStore {
    if (this.#store !== null) return this.#store;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    try {
      this.#store = openStore(this.#path, this.#maxBytes);
    } catch (error) {
      if (classifyStorageError(error) !== 'damaged' && isMissingOrUsableFile(this.#path)) throw error;
      archiveDamaged(this.#path);
      this.#store = openStore(this.#path, this.#maxBytes);
      this.#onDamage();
    }
    return this.#store;
  }

  /** Throws a GatewayStoreError. */
  run<T>(work: (database: OpenStore) => T): T {
    try {
      return work(this.#open());
    } catch (error) {
      const kind = classifyStorageError(error);
      if (kind === 'damaged') this.#replaceDamaged();
      throw new GatewayStoreError(kind, error);
    }
  }

  #replaceDamaged(): void {
    this.close();
    archiveDamaged(this.#path);
    this.#onDamage();
  }

  close(): void {
    try {
      this.#store?.close();
    } catch {
      // Closing fails on a full disk, after the handle is gone.
    }
    this.#store = null;
  }
}
