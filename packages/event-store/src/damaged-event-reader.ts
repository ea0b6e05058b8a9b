import { rmSync } from 'node:fs';
import { openDamagedSqlite, type SqliteConnection, type SqliteStatement } from '@lintel/service/sqlite/open-sqlite';
import { readEventCountsRow } from './event-counts.ts';
import type { StoredEventRow } from './event-row.ts';
import { LAST_COMMIT_SUFFIX, readLastCommit } from './last-commit-file.ts';

const BATCH = 1_000;

const READ = 'SELECT sequence, crc, body FROM events WHERE sequence >= ? ORDER BY sequence LIMIT ?';

const valueOrNull = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch {
    return null;
  }
};

/** Reads a damaged event file with ordinary queries and skips what SQLite cannot read. */
export class DamagedEventReader {
  readonly #path: string;
  readonly #lastPossible: number;
  readonly #database: SqliteConnection | null;
  readonly #statement: SqliteStatement<[number, number], StoredEventRow> | null;
  #next = 0;

  constructor(path: string, lastPossible: number) {
    this.#path = path;
    this.#lastPossible = lastPossible;
    this.#database = valueOrNull(() => openDamagedSqlite(path));
    this.#statement = valueOrNull(() => this.#database?.prepare<[number, number], StoredEventRow>(READ) ?? null);
    if (this.#statement === null) this.#next = Infinity;
  }

  /** All up to this number were confirmed; 0 when unreadable. */
  confirmedUpTo(): number {
    const counts = valueOrNull(() => (this.#database === null ? null : readEventCountsRow(this.#database)));
    return Math.max(counts?.confirmed_up_to ?? 0, readLastCommit(this.#path)?.confirmed_up_to ?? 0);
  }

  /** The last used number. Null after a restart of the machine, because the newest records may be lost. */
  lastCommitted(bootId: string | null): number | null {
    const commit = readLastCommit(this.#path);
    return commit === null || bootId === null || commit.boot_id !== bootId ? null : commit.last;
  }

  /** The next rows in order of their numbers; null after the last. */
  next(): StoredEventRow[] | null {
    if (this.#next > this.#lastPossible) return null;
    const { rows, isReadable } = this.#read(this.#next, BATCH);
    const end = (rows.at(-1)?.sequence ?? this.#next - 1) + 1;
    if (!isReadable) this.#next = this.#firstReadableAfter(end);
    else this.#next = rows.length < BATCH ? Infinity : end;
    return rows;
  }

  /** Rows up to the first error. A row with a number out of order is an error too. */
  #read(from: number, limit: number): { readonly rows: StoredEventRow[]; readonly isReadable: boolean } {
    const rows: StoredEventRow[] = [];
    try {
      for (const row of this.#statement!.iterate(from, limit)) {
        const least = (rows.at(-1)?.sequence ?? from - 1) + 1;
        if (row.sequence < least || row.sequence > this.#lastPossible) return { rows, isReadable: false };
        rows.push(row);
      }
      return { rows, isReadable: true };
    } catch {
      return { rows, isReadable: false };
    }
  }

  /** Doubles the distance until a row is readable, then bisects to the first readable one. */
  #firstReadableAfter(unreadable: number): number {
    const isReadable = (sequence: number): boolean => this.#read(sequence, 1).isReadable;
    let low = unreadable;
    let high = unreadable + 1;
    while (!isReadable(high)) {
      if (high > this.#lastPossible) return Infinity;
      low = high;
      high = unreadable + 2 * (high - unreadable);
    }
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (isReadable(middle)) high = middle;
      else low = middle;
    }
    return high;
  }

  close(): void {
    this.#database?.close();
  }

  remove(): void {
    this.close();
    for (const suffix of ['', '-wal', '-shm', LAST_COMMIT_SUFFIX]) rmSync(this.#path + suffix, { force: true });
  }
}
