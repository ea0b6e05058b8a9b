import type { ControllerFaultRegistry } from './controller-fault-registry.ts';

const RAISE_AT = 0.9;
const CLEAR_BELOW = 0.85;

/** Used share of the disk, from 0 to 1; null when unknown. */
export type ReadDiskUsage = () => number | null;

/** Reports a disk that is almost full, before events cannot be written. */
export class DiskSpaceMonitor {
  readonly #readUsage: ReadDiskUsage;
  readonly #faults: ControllerFaultRegistry;
  #isAlmostFull = false;

  constructor(readUsage: ReadDiskUsage, faults: ControllerFaultRegistry) {
    this.#readUsage = readUsage;
    this.#faults = faults;
  }

  get isAlmostFull(): boolean {
    return this.#isAlmostFull;
  }

  /** To be called regularly. */
  check(): void {
    const usage = this.#readUsage();
    if (usage === null) return;
    if (!this.#isAlmostFull && usage >= RAISE_AT) {
      this.#isAlmostFull = true;
      const percent = Math.floor(usage * 100);
      this.#faults.raise('disk_almost_full', `The disk is almost full (${percent} %). Events need free space`);
    } else if (this.#isAlmostFull && usage < CLEAR_BELOW) {
      this.#isAlmostFull = false;
      this.#faults.clear('disk_almost_full');
    }
  }
}
