import type { LostSequenceRange, EventSalvageReport, SavedEventNumbering } from './event-store-interface.ts';
import { DamagedEventReader } from './damaged-event-reader.ts';
import { isEventRowConfirmed, isEventRowIntact } from './event-row.ts';
import type { EventTable } from './event-table.ts';
import type { DamagedEventFile } from './damaged-event-files.ts';
import { listMissingRanges, mergeLostRanges } from './lost-sequence-ranges.ts';

/** Above this number ranges are merged, to limit memory. */
const MOST_RANGES = 50_000;

/** Moves the readable rows of a damaged file into the current table, step by step. */
export class EventSalvage {
  readonly #file: DamagedEventReader;
  readonly #lastPossible: number;
  readonly #isExact: boolean;
  readonly #confirmedUpTo: number;
  readonly #bootId: string | null;
  #found: LostSequenceRange[];
  #lastFound = 0;
  #isReported = false;

  /** `bootId`: of the machine. */
  constructor(
    { path, lastPossible, isExact }: DamagedEventFile,
    { confirmed, unused = [] }: SavedEventNumbering,
    bootId: string | null = null,
  ) {
    this.#file = new DamagedEventReader(path, lastPossible);
    this.#confirmedUpTo = Math.max(confirmed, this.#file.confirmedUpTo());
    this.#found = unused.map(([first, last]) => ({ first, last, from: null, to: null }));
    this.#lastPossible = lastPossible;
    this.#isExact = isExact;
    this.#bootId = bootId;
  }

  step(into: EventTable): EventSalvageReport {
    const rows = this.#file.next()?.filter(isEventRowIntact);
    if (rows === undefined) return this.#finish();
    const unconfirmed = rows.filter(row => !isEventRowConfirmed(row) && row.sequence > this.#confirmedUpTo);
    const salvaged = unconfirmed.length === 0 ? 0 : into.restore(unconfirmed);
    this.#found.push(...rows.map(({ sequence }) => ({ first: sequence, last: sequence, from: null, to: null })));
    this.#lastFound = rows.at(-1)?.sequence ?? this.#lastFound;
    if (this.#found.length > MOST_RANGES) this.#found = mergeLostRanges(this.#found);
    return { salvaged, lost: [], done: false };
  }

  /** The file is removed one step after its loss was returned, so that a crash before the report repeats it. */
  #finish(): EventSalvageReport {
    const lost = this.#isReported ? [] : this.#listLost();
    this.#isReported = true;
    const done = lost.length === 0;
    if (done) this.#file.remove();
    return { salvaged: 0, lost, done };
  }

  /** Unconfirmed numbers that were not found. */
  #listLost(): LostSequenceRange[] {
    const lastCommitted = this.#file.lastCommitted(this.#bootId);
    const last = lastCommitted === null ? this.#lastPossible : Math.max(lastCommitted, this.#lastFound);
    const isExact = this.#isExact || lastCommitted !== null;
    return listMissingRanges(this.#found, this.#confirmedUpTo + 1, last).map(hole =>
      !isExact && hole.last === last ? { ...hole, isAtMost: true } : hole,
    );
  }

  close(): void {
    this.#file.close();
  }
}
