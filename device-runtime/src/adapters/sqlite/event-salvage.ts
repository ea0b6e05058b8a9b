import { readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { LostRange, SalvageReport } from '../../ports/event-store.ts';
import { DamagedFile } from './damaged-file.ts';
import { COUNTS_MARK } from './event-counts.ts';
import { type EventRow, isIntact } from './event-row.ts';
import type { EventTable } from './event-table.ts';
import { holesBetween, mergeRanges } from './lost-ranges.ts';
import type { RawRow } from './page-rows.ts';

export interface FileSetAside {
  readonly path: string;
  readonly lastPossible: number;
}

const NAME = /^\.damaged-(\d+)-to-(\d+)$/;

const setAsideBefore = (file: string): (FileSetAside & { readonly number: number })[] =>
  readdirSync(dirname(file)).flatMap(name => {
    const parts = name.startsWith(basename(file)) ? NAME.exec(name.slice(basename(file).length)) : null;
    if (parts === null) return [];
    return [{ path: join(dirname(file), name), number: Number(parts[1]), lastPossible: Number(parts[2]) }];
  });

export const filesSetAside = (file: string): readonly FileSetAside[] => setAsideBefore(file);

/**
 * A damaged file makes way for a new one and waits under another name to be salvaged. The name keeps which numbers it
 * may have held, because the new file uses higher ones at once.
 */
export const setAside = (file: string, lastPossible: number): void => {
  const number = 1 + Math.max(0, ...setAsideBefore(file).map(one => one.number));
  for (const suffix of ['', '-wal']) {
    try {
      renameSync(file + suffix, `${file}.damaged-${number}-to-${lastPossible}${suffix}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
};

interface FoundRow extends EventRow {
  readonly confirmed: boolean;
}

const asEventRow = ({ rowid, values }: RawRow): FoundRow | null => {
  const [, confirmed, crc, body] = values;
  if (values.length !== 4 || typeof crc !== 'number' || typeof body !== 'string') return null;
  const row = { sequence: rowid, crc, body, confirmed: confirmed === 1 };
  return isIntact(row) ? row : null;
};

const confirmedUpTo = ({ values }: RawRow): number =>
  values[1] === COUNTS_MARK && typeof values[6] === 'number' ? values[6] : 0;

/** Merging from time to time keeps millions of rows a short list. */
const MOST_RANGES = 50_000;

/** One damaged file, moved piece by piece into the buffer that works. */
export class Salvage {
  readonly #file: DamagedFile;
  readonly #lastPossible: number;
  #found: LostRange[] = [];
  #confirmedUpTo: number;

  constructor({ path, lastPossible }: FileSetAside, confirmedUpTo: number) {
    this.#file = new DamagedFile(path);
    this.#confirmedUpTo = confirmedUpTo;
    this.#lastPossible = lastPossible;
  }

  step(into: EventTable): SalvageReport {
    const raw = this.#file.next();
    if (raw === null) return this.#finish();
    for (const row of raw) this.#confirmedUpTo = Math.max(this.#confirmedUpTo, confirmedUpTo(row));
    const rows = raw.flatMap(row => asEventRow(row) ?? []);
    const wanted = rows.filter(row => !row.confirmed && row.sequence > this.#confirmedUpTo);
    const salvaged = wanted.length === 0 ? 0 : into.restore(wanted);
    this.#found.push(...rows.map(({ sequence }) => ({ first: sequence, last: sequence, from: null, to: null })));
    if (this.#found.length > MOST_RANGES) this.#found = mergeRanges(this.#found);
    return { salvaged, lost: [], done: false };
  }

  /** What lies between the last confirmation and the highest number in use, and was not found, counts as lost. */
  #finish(): SalvageReport {
    const lost = holesBetween(this.#found, this.#confirmedUpTo + 1, this.#lastPossible);
    this.#file.remove();
    return { salvaged: 0, lost, done: true };
  }

  close(): void {
    this.#file.close();
  }
}
