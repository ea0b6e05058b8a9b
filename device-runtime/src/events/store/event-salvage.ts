import type { LostRange, SalvageReport } from '../event-store.ts';
import { DamagedFile } from './damaged-file.ts';
import { isConfirmed, isIntact } from './event-row.ts';
import type { EventTable } from './event-table.ts';
import type { FileSetAside } from './files-set-aside.ts';
import { holesBetween, mergeRanges } from './lost-ranges.ts';

/** Merging from time to time keeps millions of rows a short list. */
const MOST_RANGES = 50_000;

/** One damaged file, moved piece by piece into the buffer that works. */
export class Salvage {
  readonly #file: DamagedFile;
  readonly #lastPossible: number;
  readonly #isExact: boolean;
  readonly #confirmedUpTo: number;
  #found: LostRange[] = [];

  constructor({ path, lastPossible, isExact }: FileSetAside, confirmedUpTo: number) {
    this.#file = new DamagedFile(path, lastPossible);
    this.#confirmedUpTo = Math.max(confirmedUpTo, this.#file.confirmedUpTo());
    this.#lastPossible = lastPossible;
    this.#isExact = isExact;
  }

  step(into: EventTable): SalvageReport {
    const rows = this.#file.next()?.filter(isIntact);
    if (rows === undefined) return this.#finish();
    const wanted = rows.filter(row => !isConfirmed(row) && row.sequence > this.#confirmedUpTo);
    const salvaged = wanted.length === 0 ? 0 : into.restore(wanted);
    this.#found.push(...rows.map(({ sequence }) => ({ first: sequence, last: sequence, from: null, to: null })));
    if (this.#found.length > MOST_RANGES) this.#found = mergeRanges(this.#found);
    return { salvaged, lost: [], done: false };
  }

  /** What lies between the last confirmation and the highest number in use, and was not found, counts as lost. */
  #finish(): SalvageReport {
    const lost = holesBetween(this.#found, this.#confirmedUpTo + 1, this.#lastPossible).map(hole =>
      !this.#isExact && hole.last === this.#lastPossible ? { ...hole, isAtMost: true } : hole,
    );
    this.#file.remove();
    return { salvaged: 0, lost, done: true };
  }

  close(): void {
    this.#file.close();
  }
}
