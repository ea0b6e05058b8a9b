import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { SnapshotEntry, SnapshotEntryKey } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { hashSnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import type { StoredSnapshot } from '../snapshot-store-interface.ts';
import { openSqlite, type SqliteConnection } from '@lintel/service/sqlite/open-sqlite';
import { DamagedDataError } from '@lintel/service/sqlite/storage-error';
import type { DataAuthenticator, KeyedSetHash } from '../../state/data-authenticator.ts';
import { smallDevicePragmas } from '@lintel/service/sqlite/small-device-pragmas';

/**
 * The digest of the bridge verifies a snapshot when it is applied. From then on a MAC protects it: it covers the
 * revision and the keyed sum of all entries.
 */
const LAYOUT = `
  CREATE TABLE entries (
    type TEXT NOT NULL, id TEXT NOT NULL, hash BLOB NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (type, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE held (
    one INTEGER PRIMARY KEY, revision INTEGER NOT NULL, digest TEXT NOT NULL, digest_key_id TEXT NOT NULL,
    seal TEXT NOT NULL
  ) STRICT;
  CREATE TABLE staged (chunk INTEGER PRIMARY KEY, transfer TEXT NOT NULL, body TEXT NOT NULL) STRICT;`;

/** Files of version 1 have no MAC. */
const LAYOUT_VERSION = 2;
const MAC_PURPOSE = 'access snapshot';

interface StoredEntry {
  readonly hash: Buffer;
  readonly body: string;
}

interface EncodedEntry {
  readonly hash: Uint8Array;
  readonly body: string;
}

const encodeEntry = (entry: SnapshotEntry): EncodedEntry => {
  let body = '';
  const hashed = hashSnapshotEntry(entry, bytes => {
    body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    return hash('sha256', bytes, 'buffer');
  });
  return { hash: hashed, body };
};

/** Columns are named, so that files of newer versions with more columns work. */
const statementsOf = (database: SqliteConnection) => ({
  all: database.prepare<[], string>('SELECT body FROM entries').pluck(),
  page: database.prepare<[string, string, number], SnapshotEntryKey & { readonly body: string }>(
    'SELECT type, id, body FROM entries WHERE (type, id) > (?, ?) ORDER BY type, id LIMIT ?',
  ),
  find: database.prepare<[string, string], StoredEntry>('SELECT hash, body FROM entries WHERE type = ? AND id = ?'),
  put: database.prepare<[string, string, Uint8Array, string]>(
    'INSERT OR REPLACE INTO entries (type, id, hash, body) VALUES (?, ?, ?, ?)',
  ),
  drop: database.prepare<[string, string], StoredEntry>(
    'DELETE FROM entries WHERE type = ? AND id = ? RETURNING hash, body',
  ),
  held: database.prepare<[], StoredSnapshot>('SELECT revision, digest, digest_key_id FROM held WHERE one = 1'),
  seal: database.prepare<[], string>('SELECT seal FROM held WHERE one = 1').pluck(),
  hold: database.prepare<[number, string, string, string]>(
    'INSERT OR REPLACE INTO held (one, revision, digest, digest_key_id, seal) VALUES (1, ?, ?, ?, ?)',
  ),
  stage: database.prepare<[number, string, string]>(
    'INSERT OR REPLACE INTO staged (chunk, transfer, body) VALUES (?, ?, ?)',
  ),
  staged: database.prepare<[], { transfer: string; chunks: number }>(
    'SELECT max(transfer) AS transfer, count(*) AS chunks FROM staged HAVING count(*) > 0',
  ),
  chunk: database.prepare<[number], { body: string }>('SELECT body FROM staged WHERE chunk = ?'),
  unstage: database.prepare('DELETE FROM staged'),
  note: database.prepare<[string, string]>('INSERT OR IGNORE INTO seen VALUES (?, ?)'),
  unseen: database.prepare<[], SnapshotEntryKey>(
    'SELECT type, id FROM entries WHERE NOT EXISTS (SELECT 1 FROM seen WHERE seen.type = entries.type AND seen.id = entries.id)',
  ),
  forget: database.prepare('DELETE FROM seen'),
});

const opened = (file: string | Buffer): SqliteConnection => {
  const database = openSqlite(file, {
    layout: { version: LAYOUT_VERSION, sql: LAYOUT },
    locking: 'exclusive',
    pragmas: smallDevicePragmas,
  });
  if ((database.pragma('user_version', { simple: true }) as number) < LAYOUT_VERSION) {
    database.close();
    throw new DamagedDataError('The snapshot has no MAC');
  }
  database.exec('CREATE TEMP TABLE seen (type TEXT, id TEXT, PRIMARY KEY (type, id)) WITHOUT ROWID');
  return database;
};

/** A snapshot file. Methods throw errors of SQLite. */
export class SnapshotTable {
  readonly #database: SqliteConnection;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #authenticator: DataAuthenticator;
  /** Of the committed entries; null until they are read. */
  #sum: KeyedSetHash | null = null;
  /** Of the current transaction. */
  #newSum: KeyedSetHash;

  constructor(file: string | Buffer, authenticator: DataAuthenticator) {
    this.#authenticator = authenticator;
    this.#newSum = authenticator.emptySum();
    this.#database = opened(file);
    this.#statements = statementsOf(this.#database);
  }

  held(): StoredSnapshot | null {
    return this.#statements.held.get() ?? null;
  }

  #authenticatedText({ revision, digest, digest_key_id }: StoredSnapshot, sum: KeyedSetHash): string {
    return JSON.stringify([revision, digest, digest_key_id, sum.toString()]);
  }

  /** False when the entries or their revision are not those that were committed. */
  load(take: (entry: SnapshotEntry) => void): boolean {
    const sum = this.#authenticator.emptySum();
    for (const body of this.#statements.all.iterate()) {
      sum.add(body);
      take(JSON.parse(body) as SnapshotEntry);
    }
    return this.#verify(sum);
  }

  /** Like `load`, in steps. */
  async loadInBackground(take: (entry: SnapshotEntry) => void, atOnce: number): Promise<boolean> {
    const sum = this.#authenticator.emptySum();
    let last: SnapshotEntryKey | undefined = { type: '', id: '' };
    while (last !== undefined) {
      const page: (SnapshotEntryKey & { readonly body: string })[] = this.#statements.page.all(
        last.type,
        last.id,
        atOnce,
      );
      for (const { body } of page) {
        sum.add(body);
        take(JSON.parse(body) as SnapshotEntry);
      }
      last = page.at(-1);
      await setImmediate();
    }
    return this.#verify(sum);
  }

  #verify(sum: KeyedSetHash): boolean {
    const held = this.held();
    const isIntact =
      held === null
        ? sum.toString() === this.#authenticator.emptySum().toString()
        : this.#authenticator.isValid(MAC_PURPOSE, this.#authenticatedText(held, sum), this.#statements.seal.get());
    if (isIntact) this.#sum = sum;
    return isIntact;
  }

  begin(): void {
    // Verified before, unless this is the first use of a file.
    if (this.#sum === null && !this.load(() => undefined)) throw new DamagedDataError('The snapshot does not verify');
    this.#database.exec('BEGIN IMMEDIATE');
    this.#newSum = this.#sum!.copy();
  }

  commit(held: StoredSnapshot): void {
    const seal = this.#authenticator.create(MAC_PURPOSE, this.#authenticatedText(held, this.#newSum));
    this.#statements.hold.run(held.revision, held.digest, held.digest_key_id, seal);
    this.#statements.unstage.run();
    this.#statements.forget.run();
    this.#database.exec('COMMIT');
    this.#sum = this.#newSum;
    this.#emptyLog();
  }

  /** SQLite ignores a damaged write-ahead log and continues with the state before it. An empty log cannot be damaged. */
  #emptyLog(): void {
    try {
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // On a full disk the log keeps the data. If it is damaged later, the recorded revision reveals the older snapshot.
    }
  }

  rollBack(): void {
    if (this.#database.open && this.#database.inTransaction) this.#database.exec('ROLLBACK');
  }

  /** Returns the new and the previous hash, which are equal when nothing changed. */
  put(entry: SnapshotEntry): { readonly now: Uint8Array; readonly before: Uint8Array | null; readonly isNew: boolean } {
    const { hash: now, body } = encodeEntry(entry);
    const stored = this.#statements.find.get(entry.type, entry.id);
    if (stored?.hash.equals(now) === true) return { now, before: stored.hash, isNew: false };
    if (stored !== undefined) this.#newSum.subtract(stored.body);
    this.#newSum.add(body);
    this.#statements.put.run(entry.type, entry.id, now, body);
    return { now, before: stored?.hash ?? null, isNew: true };
  }

  /** Returns the previous hash; null when there was no entry. */
  drop({ type, id }: SnapshotEntryKey): Uint8Array | null {
    const stored = this.#statements.drop.get(type, id);
    if (stored !== undefined) this.#newSum.subtract(stored.body);
    return stored?.hash ?? null;
  }

  /** Marks an entry as part of the new snapshot. */
  markSeen({ type, id }: SnapshotEntryKey): void {
    this.#statements.note.run(type, id);
  }

  listUnseen(): SnapshotEntryKey[] {
    return this.#statements.unseen.all();
  }

  stage(chunk: number, transfer: string, body: string): void {
    this.#statements.stage.run(chunk, transfer, body);
  }

  staged(): { readonly transfer: string; readonly chunks: number } | null {
    return this.#statements.staged.get() ?? null;
  }

  chunk(number: number): string {
    return this.#statements.chunk.get(number)?.body ?? 'null';
  }

  unstage(): void {
    this.#statements.unstage.run();
  }

  close(): void {
    this.#database.close();
  }
}
