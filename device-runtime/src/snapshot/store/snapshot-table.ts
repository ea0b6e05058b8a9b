import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { SliceEntry, SliceKey } from '@lintel/wire-protocol/mqtt/slice-entry';
import { entryHash } from '@lintel/wire-protocol/mqtt/slice-digest';
import type { HeldSnapshot } from '../snapshot-store-port.ts';
import { openSqlite, type Sqlite } from '@lintel/service/sqlite/open-sqlite';
import { sqlitePragmas } from '../../state/sqlite-pragmas.ts';

/**
 * Slices are proven by their digest when they are applied. From then on only the disk can do them harm: that is found by
 * the sum of the check sums of all bodies, at a fraction of the time that the digest of a hundred thousand members takes.
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

interface Kept {
  readonly hash: Buffer;
  readonly crc: number;
}

interface Spelled {
  readonly hash: Uint8Array;
  readonly body: string;
}

const spell = (entry: SliceEntry): Spelled => {
  let body = '';
  const hashed = entryHash(entry, bytes => {
    body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    return hash('sha256', bytes, 'buffer');
  });
  return { hash: hashed, body };
};

/** Columns are named: a file that a newer version has added some to is still of use to this one. */
const statementsOf = (database: Sqlite) => ({
  all: database.prepare<[], string>('SELECT body FROM entries').pluck(),
  page: database.prepare<[string, string, number], SliceKey & { readonly body: string }>(
    'SELECT type, id, body FROM entries WHERE (type, id) > (?, ?) ORDER BY type, id LIMIT ?',
  ),
  find: database.prepare<[string, string], Kept>('SELECT hash, crc FROM entries WHERE type = ? AND id = ?'),
  put: database.prepare<[string, string, Uint8Array, number, string]>(
    'INSERT OR REPLACE INTO entries (type, id, hash, crc, body) VALUES (?, ?, ?, ?, ?)',
  ),
  drop: database.prepare<[string, string], Kept>('DELETE FROM entries WHERE type = ? AND id = ? RETURNING hash, crc'),
  held: database.prepare<[], HeldSnapshot>('SELECT revision, digest, digest_key_id FROM held WHERE one = 1'),
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
  unseen: database.prepare<[], SliceKey>(
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

/** The slice's file while it is in order. Every method throws what SQLite throws. */
export class SliceTable {
  readonly #database: Sqlite;
  readonly #statements: ReturnType<typeof statementsOf>;
  /** Of the transaction that runs. */
  #checkSum = 0;

  constructor(file: string | Buffer) {
    this.#database = opened(file);
    this.#statements = statementsOf(this.#database);
  }

  held(): HeldSnapshot | null {
    return this.#statements.held.get() ?? null;
  }

  /** False when what was handed over is not what was applied. */
  load(take: (entry: SliceEntry) => void): boolean {
    let sum = 0;
    for (const body of this.#statements.all.iterate()) {
      sum += crc32(body);
      take(JSON.parse(body) as SliceEntry);
    }
    return sum === (this.#statements.checkSum.get() ?? 0);
  }

  /** As `load`, so many at a time. */
  async loadBeside(take: (entry: SliceEntry) => void, atOnce: number): Promise<boolean> {
    let sum = 0;
    let last: SliceKey | undefined = { type: '', id: '' };
    while (last !== undefined) {
      const page: (SliceKey & { readonly body: string })[] = this.#statements.page.all(last.type, last.id, atOnce);
      for (const { body } of page) {
        sum += crc32(body);
        take(JSON.parse(body) as SliceEntry);
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

  commit(held: HeldSnapshot): void {
    this.#statements.hold.run(held.revision, held.digest, held.digest_key_id, this.#checkSum);
    this.#statements.unstage.run();
    this.#statements.forget.run();
    this.#database.exec('COMMIT');
  }

  rollBack(): void {
    if (this.#database.open && this.#database.inTransaction) this.#database.exec('ROLLBACK');
  }

  /** Answers the hash it has now and the one it had before, which is the same when nothing was to be done. */
  put(entry: SliceEntry): { readonly now: Uint8Array; readonly before: Uint8Array | null; readonly isNew: boolean } {
    const { hash: now, body } = spell(entry);
    const kept = this.#statements.find.get(entry.type, entry.id);
    if (kept?.hash.equals(now) === true) return { now, before: kept.hash, isNew: false };
    const crc = crc32(body);
    this.#checkSum += crc - (kept?.crc ?? 0);
    this.#statements.put.run(entry.type, entry.id, now, crc, body);
    return { now, before: kept?.hash ?? null, isNew: true };
  }

  /** Answers the hash it had, null when it was not there. */
  drop({ type, id }: SliceKey): Uint8Array | null {
    const kept = this.#statements.drop.get(type, id);
    this.#checkSum -= kept?.crc ?? 0;
    return kept?.hash ?? null;
  }

  /** Notes that a snapshot names it. */
  note({ type, id }: SliceKey): void {
    this.#statements.note.run(type, id);
  }

  notNoted(): SliceKey[] {
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
