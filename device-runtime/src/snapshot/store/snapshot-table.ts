import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { SnapshotEntry, SnapshotKey } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { hashSnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import type { StoredSnapshot } from '../snapshot-store.ts';
import { openSqlite, type Sqlite } from '@lintel/service/sqlite/open-sqlite';
import { sqlitePragmas } from '../../state/sqlite-pragmas.ts';

/**
 * The digest verifies a snapshot when it is applied. Later only the disk can damage it, which the sum of all checksums
 * detects much faster than the digest.
 */
const LAYOUT = `
  CREATE TABLE entries (
    type TEXT NOT NULL, id TEXT NOT NULL, hash BLOB NOT NULL, crc INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (type, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE held (
    one INTEGER PRIMARY KEY, revision INTEGER NOT NULL, digest TEXT NOT NULL, digest_key_id TEXT NOT NULL,
    check_sum INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE staged (chunk INTEGER PRIMARY KEY, transfer TEXT NOT NULL, body TEXT NOT NULL) STRICT;`;

interface StoredEntry {
  readonly hash: Buffer;
  readonly crc: number;
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
const statementsOf = (database: Sqlite) => ({
  all: database.prepare<[], string>('SELECT body FROM entries').pluck(),
  page: database.prepare<[string, string, number], SnapshotKey & { readonly body: string }>(
    'SELECT type, id, body FROM entries WHERE (type, id) > (?, ?) ORDER BY type, id LIMIT ?',
  ),
  find: database.prepare<[string, string], StoredEntry>('SELECT hash, crc FROM entries WHERE type = ? AND id = ?'),
  put: database.prepare<[string, string, Uint8Array, number, string]>(
    'INSERT OR REPLACE INTO entries (type, id, hash, crc, body) VALUES (?, ?, ?, ?, ?)',
  ),
  drop: database.prepare<[string, string], StoredEntry>(
    'DELETE FROM entries WHERE type = ? AND id = ? RETURNING hash, crc',
  ),
  held: database.prepare<[], StoredSnapshot>('SELECT revision, digest, digest_key_id FROM held WHERE one = 1'),
  checkSum: database.prepare<[], number>('SELECT check_sum FROM held WHERE one = 1').pluck(),
  hold: database.prepare<[number, string, string, number]>(
    'INSERT OR REPLACE INTO held (one, revision, digest, digest_key_id, check_sum) VALUES (1, ?, ?, ?, ?)',
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
  unseen: database.prepare<[], SnapshotKey>(
    'SELECT type, id FROM entries WHERE NOT EXISTS (SELECT 1 FROM seen WHERE seen.type = entries.type AND seen.id = entries.id)',
  ),
  forget: database.prepare('DELETE FROM seen'),
});

const opened = (file: string | Buffer): Sqlite => {
  const database = openSqlite(file, {
    layout: { version: 1, sql: LAYOUT },
    locking: 'exclusive',
    pragmas: sqlitePragmas,
  });
  database.exec('CREATE TEMP TABLE seen (type TEXT, id TEXT, PRIMARY KEY (type, id)) WITHOUT ROWID');
  return database;
};

/** An intact snapshot file. Methods throw errors of SQLite. */
export class SnapshotTable {
  readonly #database: Sqlite;
  readonly #statements: ReturnType<typeof statementsOf>;
  /** Of the current transaction. */
  #checkSum = 0;

  constructor(file: string | Buffer) {
    this.#database = opened(file);
    this.#statements = statementsOf(this.#database);
  }

  held(): StoredSnapshot | null {
    return this.#statements.held.get() ?? null;
  }

  /** False when the entries are damaged. */
  load(take: (entry: SnapshotEntry) => void): boolean {
    let sum = 0;
    for (const body of this.#statements.all.iterate()) {
      sum += crc32(body);
      take(JSON.parse(body) as SnapshotEntry);
    }
    return sum === (this.#statements.checkSum.get() ?? 0);
  }

  /** Like `load`, in steps. */
  async loadInBackground(take: (entry: SnapshotEntry) => void, atOnce: number): Promise<boolean> {
    let sum = 0;
    let last: SnapshotKey | undefined = { type: '', id: '' };
    while (last !== undefined) {
      const page: (SnapshotKey & { readonly body: string })[] = this.#statements.page.all(last.type, last.id, atOnce);
      for (const { body } of page) {
        sum += crc32(body);
        take(JSON.parse(body) as SnapshotEntry);
      }
      last = page.at(-1);
      await setImmediate();
    }
    return sum === (this.#statements.checkSum.get() ?? 0);
  }

  begin(): void {
    this.#database.exec('BEGIN IMMEDIATE');
    this.#checkSum = this.#statements.checkSum.get() ?? 0;
  }

  commit(held: StoredSnapshot): void {
    this.#statements.hold.run(held.revision, held.digest, held.digest_key_id, this.#checkSum);
    this.#statements.unstage.run();
    this.#statements.forget.run();
    this.#database.exec('COMMIT');
  }

  rollBack(): void {
    if (this.#database.open && this.#database.inTransaction) this.#database.exec('ROLLBACK');
  }

  /** Returns the new and the previous hash, which are equal when nothing changed. */
  put(entry: SnapshotEntry): { readonly now: Uint8Array; readonly before: Uint8Array | null; readonly isNew: boolean } {
    const { hash: now, body } = encodeEntry(entry);
    const stored = this.#statements.find.get(entry.type, entry.id);
    if (stored?.hash.equals(now) === true) return { now, before: stored.hash, isNew: false };
    const crc = crc32(body);
    this.#checkSum += crc - (stored?.crc ?? 0);
    this.#statements.put.run(entry.type, entry.id, now, crc, body);
    return { now, before: stored?.hash ?? null, isNew: true };
  }

  /** Returns the previous hash; null when there was no entry. */
  drop({ type, id }: SnapshotKey): Uint8Array | null {
    const stored = this.#statements.drop.get(type, id);
    this.#checkSum -= stored?.crc ?? 0;
    return stored?.hash ?? null;
  }

  /** Marks an entry as part of the new snapshot. */
  markSeen({ type, id }: SnapshotKey): void {
    this.#statements.note.run(type, id);
  }

  listUnseen(): SnapshotKey[] {
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
