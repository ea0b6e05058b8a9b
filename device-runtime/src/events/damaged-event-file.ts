import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SequenceRange } from '@lintel/access-core/sequence-ranges';
import { getErrorCode } from '@lintel/service/error-code';
import { openDamagedSqlite, type SqliteConnection, type SqliteStatement } from '@lintel/service/sqlite/open-sqlite';
import { type EventRow, isIntact, readUploadState } from './event-table.ts';

const BATCH = 1_000;

/** Files beside the event file whose names start with this. */
const listFiles = (file: string, suffix: string): string[] =>
  readdirSync(dirname(file))
    .filter(name => name.startsWith(basename(file) + suffix) && /-\d+$/.test(name))
    .map(name => join(dirname(file), name));

/** With its log, and under a name that is not in use. */
const rename = (file: string, suffix: string): void => {
  const numbers = listFiles(file, suffix).map(name => Number(/\d+$/.exec(name)![0]));
  const name = `${file}${suffix}${1 + Math.max(0, ...numbers)}`;
  for (const part of ['', '-wal']) {
    try {
      renameSync(file + part, name + part);
    } catch (error) {
      if (getErrorCode(error) !== 'ENOENT') throw error;
    }
  }
};

/** Renames the file, so that a new one can be created and this one salvaged. */
export const setDamagedEventFileAside = (file: string): void => rename(file, '.damaged-');

export const findDamagedEventFile = (file: string): string | null => listFiles(file, '.damaged-')[0] ?? null;

/** Renames the event file of a previous owner and its damaged predecessors for good. They are not salvaged. */
export const archiveEventFiles = (file: string): void => {
  for (const damaged of listFiles(file, '.damaged-'))
    renameSync(damaged, damaged.replace('.damaged-', '.left-damaged-'));
  rename(file, '.left-behind-');
};

const valueOrNull = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch {
    return null;
  }
};

/** Reads a damaged event file with ordinary queries, and skips what SQLite cannot read. */
export class DamagedEventFile {
  readonly #path: string;
  readonly #lastPossible: number;
  readonly #database: SqliteConnection | null;
  readonly #statement: SqliteStatement<[number, number], EventRow> | null;
  #next = 0;

  /** `lastPossible`: the file contains no higher number. */
  constructor(path: string, lastPossible: number) {
    this.#path = path;
    this.#lastPossible = lastPossible;
    this.#database = valueOrNull(() => openDamagedSqlite(path));
    this.#statement = valueOrNull(
      () =>
        this.#database?.prepare<[number, number], EventRow>(
          'SELECT sequence, crc, body FROM events WHERE sequence >= ? ORDER BY sequence LIMIT ?',
        ) ?? null,
    );
    if (this.#statement === null) this.#next = Infinity;
  }

  /** Numbers that need no upload, if the file still tells. */
  settled(): readonly SequenceRange[] {
    return valueOrNull(() => (this.#database === null ? null : readUploadState(this.#database)))?.settled ?? [];
  }

  /** The next intact rows; null after the last. */
  next(): EventRow[] | null {
    if (this.#next > this.#lastPossible) return null;
    const { rows, isReadable } = this.#read(this.#next, BATCH);
    const end = (rows.at(-1)?.sequence ?? this.#next - 1) + 1;
    if (!isReadable) this.#next = this.#firstReadableAfter(end);
    else this.#next = rows.length < BATCH ? Infinity : end;
    return rows.filter(isIntact);
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
    for (const suffix of ['', '-wal', '-shm']) rmSync(this.#path + suffix, { recursive: true, force: true });
  }
}
