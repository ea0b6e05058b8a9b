import { DAY_MS } from '@lintel/access-core/durations';

/** Persists the highest counter that may have been used. */
export interface UplinkCounterStore {
  /** 0 before the first write. */
  read(): number;
  /** Throws if it cannot be persisted. */
  write(reserved: number): void;
}

/**
 * Counters that are reserved with one write. A restart takes longer than this many milliseconds, so that the counters do not
 * run ahead of the clock.
 */
const BLOCK = 200;

/**
 * Numbers the signed messages of a device in ascending order. The bridge rejects a number that it has seen, so the
 * numbers of a run start above all numbers of earlier runs, also after a crash.
 */
export class UplinkCounter {
  readonly #store: UplinkCounterStore;
  #last: number;
  #reserved: number;

  /**
   * `now` in milliseconds keeps the numbers ascending if the stored value is lost, also if the clock is behind by less
   * than a day.
   */
  constructor(store: UplinkCounterStore, now: number) {
    this.#store = store;
    const stored = store.read();
    this.#last = stored === 0 ? now + DAY_MS : Math.max(stored, now);
    this.#reserved = 0;
  }

  next(): number {
    this.#last += 1;
    if (this.#last > this.#reserved) this.#reserve();
    return this.#last;
  }

  /** Continues far above the current number, in case it is below those that the bridge has seen. */
  skipAhead(): void {
    this.#last += DAY_MS;
  }

  #reserve(): void {
    this.#reserved = this.#last + BLOCK;
    try {
      this.#store.write(this.#reserved);
    } catch {
      // A full disk must not silence the device. The clock is the lower limit of the next run.
    }
  }
}

/** For a device whose counters need not survive a restart. */
export const volatileUplinkCounterStore: UplinkCounterStore = { read: () => 0, write: () => undefined };
