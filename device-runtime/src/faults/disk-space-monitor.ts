import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { ControllerFaults } from './controller-faults.ts';

const RAISE_AT = 0.9;
const CLEAR_BELOW = 0.85;
const CHECK_EVERY_MS = 30_000;

/** Used share of the disk, from 0 to 1; null when unknown. */
export type ReadDiskUsage = () => number | null;

/** Reports a disk that is almost full, before events cannot be written. */
export class DiskSpaceMonitor {
  readonly #readUsage: ReadDiskUsage;
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #faults: ControllerFaults;
  #isAlmostFull = false;
  #nextCheck: MonotonicTime;

  constructor(readUsage: ReadDiskUsage, clock: Pick<MonotonicClock, 'now'>, faults: ControllerFaults) {
    this.#readUsage = readUsage;
    this.#clock = clock;
    this.#faults = faults;
    this.#nextCheck = clock.now();
  }

  get isAlmostFull(): boolean {
    return this.#isAlmostFull;
  }

  /** To be called regularly. */
  check(): void {
    const now = this.#clock.now();
    if (now < this.#nextCheck) return;
    this.#nextCheck = addMilliseconds(now, CHECK_EVERY_MS);
    const usage = this.#readUsage();
    if (usage === null) return;
    if (usage >= RAISE_AT) this.#raise(usage);
    else if (usage < CLEAR_BELOW) this.#clear();
  }

  #raise(usage: number): void {
    if (this.#isAlmostFull) return;
    this.#isAlmostFull = true;
    const percent = Math.floor(usage * 100);
    this.#faults.raise('disk_almost_full', `The disk is almost full (${percent} %). Events need free space`);
  }

  #clear(): void {
    this.#isAlmostFull = false;
    this.#faults.clear('disk_almost_full');
  }
}
