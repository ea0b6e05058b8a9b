import { readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { LostRange, SalvageReport } from '../event-store.ts';
import { DamagedFile } from './damaged-file.ts';
import { type Counts, countsOf } from './event-counts.ts';
import { type EventRow, isConfirmed, isIntact } from './event-row.ts';
import type { EventTable } from './event-table.ts';
import { holesBetween, mergeRanges } from './lost-ranges.ts';
import type { RawRow } from './page-rows.ts';

/**
 * What is known of the highest number: it was `used`, `at-most` that many were, or the highest that is `found` is the
 * last, because the end of the log is as it was written.
 */
type Bound = 'used' | 'at-most' | 'found';

export interface FileSetAside {
  readonly path: string;
  readonly lastPossible: number;
  readonly bound: Bound;
}

const NAME = /^\.damaged-(\d+)-to-(?:(at-most|found)-)?(\d+)$/;

const setAsideBefore = (file: string): (FileSetAside & { readonly number: number })[] =>
  readdirSync(dirname(file)).flatMap(name => {
    const parts = name.startsWith(basename(file)) ? NAME.exec(name.slice(basename(file).length)) : null;
    if (parts === null) return [];
    const [, number, bound = 'used', last] = parts;
    const path = join(dirname(file), name);
    return [{ path, number: Number(number), lastPossible: Number(last), bound: bound as Bound }];
  });

export const filesSetAside = (file: string): readonly FileSetAside[] => setAsideBefore(file);

const rename = (file: string, name: string): void => {
  // A log that is left alone by a power cut is salvaged no more, but the file's name tells of the loss.
  for (const suffix of ['', '-wal']) {
    try {
      renameSync(file + suffix, name + suffix);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
};

/** Out of the way for good, and nothing of it is salvaged any more. */
export const leaveBehind = (file: string): void => {
  const names = readdirSync(dirname(file)).filter(name => name.startsWith(basename(file)));
  const numbers = names.flatMap(name => /\.left-behind-(\d+)/.exec(name)?.[1] ?? []);
  const suffix = `.left-behind-${1 + Math.max(0, ...numbers.map(Number))}`;
  for (const { path } of setAsideBefore(file)) rename(path, path + suffix);
  rename(file, file + suffix);
};

/**
 * A damaged file makes way for a new one and waits under another name to be salvaged. The name keeps which numbers it
 * may have held, because the new file uses higher ones at once.
 */
export const setAside = (file: string, { lastPossible, bound }: Omit<FileSetAside, 'path'>): void => {
  const number = 1 + Math.max(0, ...setAsideBefore(file).map(one => one.number));
  rename(file, `${file}.damaged-${number}-to-${bound === 'used' ? '' : `${bound}-`}${lastPossible}`);
};

const asEventRow = ({ rowid, values }: RawRow): EventRow | null => {
  const [, , crc, body] = values;
  if (values.length !== 4 || typeof crc !== 'number' || typeof body !== 'string') return null;
  const row = { sequence: rowid, crc, body };
  return isIntact(row) ? row : null;
};

/** Merging from time to time keeps millions of rows a short list. */
const MOST_RANGES = 50_000;

/** One damaged file, moved piece by piece into the buffer that works. */
export class Salvage {
  readonly #file: DamagedFile;
  readonly #lastPossible: number;
  readonly #bound: Bound;
  #highest = 0;
  #found: LostRange[] = [];
  #confirmedUpTo: number;

  constructor({ path, lastPossible, bound }: FileSetAside, confirmedUpTo: number) {
    this.#file = new DamagedFile(path);
    this.#confirmedUpTo = confirmedUpTo;
    this.#lastPossible = lastPossible;
    this.#bound = bound;
  }

  step(into: EventTable): SalvageReport {
    const raw = this.#file.next();
    if (raw === null) return this.#finish();
    for (const { values } of raw) this.#take(countsOf(values));
    const rows = raw.flatMap(row => asEventRow(row) ?? []);
    const wanted = rows.filter(row => !isConfirmed(row) && row.sequence > this.#confirmedUpTo);
    const salvaged = wanted.length === 0 ? 0 : into.restore(wanted);
    for (const { sequence } of rows) this.#highest = Math.max(this.#highest, sequence);
    this.#found.push(...rows.map(({ sequence }) => ({ first: sequence, last: sequence, from: null, to: null })));
    if (this.#found.length > MOST_RANGES) this.#found = mergeRanges(this.#found);
    return { salvaged, lost: [], done: false };
  }

  #take(counts: Counts | null): void {
    if (counts === null) return;
    this.#confirmedUpTo = Math.max(this.#confirmedUpTo, counts.confirmed_up_to);
    this.#highest = Math.max(this.#highest, counts.last);
  }

  /** What lies between the last confirmation and the highest number in use, and was not found, counts as lost. */
  #finish(): SalvageReport {
    const last = this.#bound === 'found' ? Math.min(this.#highest, this.#lastPossible) : this.#lastPossible;
    const lost = holesBetween(this.#found, this.#confirmedUpTo + 1, last).map(hole =>
      this.#bound === 'at-most' && hole.last === last ? { ...hole, isAtMost: true } : hole,
    );
    this.#file.remove();
    return { salvaged: 0, lost, done: true };
  }

  close(): void {
    this.#file.close();
  }
}
