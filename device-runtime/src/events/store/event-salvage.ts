import type { LostSequenceRange, SalvageReport, SavedSequence } from '../event-store.ts';
import { DamagedEventReader } from './damaged-event-reader.ts';
import { isRowConfirmed, isRowIntact } from './event-row.ts';
import type { EventTable } from './event-table.ts';
import type { DamagedEventFile } from './damaged-event-files.ts';
import { findMissingRanges, mergeRanges } from '../lost-ranges.ts';

/** Above this number ranges are merged, to limit memory. */
const MOST_RANGES = 50_000;

/** Moves the readable rows of a damaged file into the current table, step by step. */
export class EventSalvage {
  readonly #file: DamagedEventReader;
  readonly #lastPossible: number;
  readonly #isExact: boolean;
  readonly #confirmedUpTo: number;
  #found: LostSequenceRange[];

  constructor({ path, lastPossible, isExact }: DamagedEventFile, { confirmed, unused = [] }: SavedSequence) {
    this.#file = new DamagedEventReader(path, lastPossible);
    this.#confirmedUpTo = Math.max(confirmed, this.#file.confirmedUpTo());
    this.#found = unused.map(([first, last]) => ({ first, last, from: null, to: null }));
    this.#lastPossible = lastPossible;
    this.#isExact = isExact;
  }

  step(into: EventTable): SalvageReport {
    const rows = this.#file.next()?.filter(isRowIntact);
    if (rows === undefined) return this.#finish();
    const unconfirmed = rows.filter(row => !isRowConfirmed(row) && row.sequence > this.#confirmedUpTo);
    const salvaged = unconfirmed.length === 0 ? 0 : into.restore(unconfirmed);
    this.#found.push(...rows.map(({ sequence }) => ({ first: sequence, last: sequence, from: null, to: null })));
    if (this.#found.length > MOST_RANGES) this.#found = mergeRanges(this.#found);
    return { salvaged, lost: [], done: false };
  }

  /** Unconfirmed numbers that were not found are lost. */
  #finish(): SalvageReport {
    const lost = findMissingRanges(this.#found, this.#confirmedUpTo + 1, this.#lastPossible).map(hole =>
      !this.#isExact && hole.last === this.#lastPossible ? { ...hole, isAtMost: true } : hole,
    );
    this.#file.remove();
    return { salvaged: 0, lost, done: true };
  }

  close(): void {
    this.#file.close();
  }
}
