import { rmSync } from 'node:fs';
import { openDamagedSqlite, type Sqlite, type SqliteStatement } from '@lintel/service/sqlite/open-sqlite';
import { readCountsRow } from './event-counts.ts';
import type { EventRow } from './event-row.ts';

const AT_ONCE = 1_000;

const READ = 'SELECT sequence, crc, body FROM events WHERE sequence >= ? ORDER BY sequence LIMIT ?';

const orNull = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch {
    return null;
  }
};

/** An event file that is damaged, read with ordinary queries that skip what SQLite cannot read. */
export class DamagedFile {
  readonly #path: string;
  readonly #lastPossible: number;
  readonly #database: Sqlite | null;
  readonly #statement: SqliteStatement<[number, number], EventRow> | null;
  #next = 0;

  constructor(path: string, lastPossible: number) {
    this.#path = path;
    this.#lastPossible = lastPossible;
    this.#database = orNull(() => openDamagedSqlite(path));
    this.#statement = orNull(() => this.#database?.prepare<[number, number], EventRow>(READ) ?? null);
    if (this.#statement === null) this.#next = Infinity;
  }

  /** All up to here were confirmed; 0 when that cannot be read. */
  confirmedUpTo(): number {
    return orNull(() => (this.#database === null ? null : readCountsRow(this.#database)))?.confirmed_up_to ?? 0;
  }

  /** The next rows in the order of their numbers; null after the last. */
  next(): EventRow[] | null {
    if (this.#next > this.#lastPossible) return null;
    const { rows, isReadable } = this.#read(this.#next, AT_ONCE);
    const end = (rows.at(-1)?.sequence ?? this.#next - 1) + 1;
    if (!isReadable) this.#next = this.#firstReadableAfter(end);
    else this.#next = rows.length < AT_ONCE ? Infinity : end;
    return rows;
  }

  /** Rows up to the first error. A row with a number out of order is an error too. */
  #read(from: number, limit: number): { readonly rows: EventRow[]; readonly isReadable: boolean } {
    const rows: EventRow[] = [];
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

  /** Doubles the distance until something is readable, then bisects to the begin of it. */
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
    for (const suffix of ['', '-wal', '-shm']) rmSync(this.#path + suffix, { force: true });
  }
}
