import { DAY_MS } from '@lintel/access-core/durations';
import { computeRelativeTapRate, computeMsToNextTap } from './daily-tap-curve.ts';

export interface FleetTapRate {
  /** Average of each door. */
  readonly tapsPerHour: number;
  /** Real time for one simulated day of a hotel. Null: constant rate. */
  readonly dayMs: number | null;
}

/** Generates taps at many doors: one Poisson process that selects a random door for each tap. */
export class FleetTapGenerator {
  readonly #schedule: FleetTapRate;
  readonly #doors: number;
  readonly #random: () => number;
  readonly #start: number;
  #next: number;

  constructor(schedule: FleetTapRate, doors: number, start: number, random: () => number) {
    this.#schedule = schedule;
    this.#doors = doors;
    this.#random = random;
    this.#start = start;
    this.#next = start + this.#gapAt(start);
  }

  #gapAt(now: number): number {
    const { tapsPerHour, dayMs } = this.#schedule;
    const share = dayMs === null || dayMs === 0 ? 1 : computeRelativeTapRate(((now - this.#start) / dayMs) * DAY_MS);
    return computeMsToNextTap(tapsPerHour * share * this.#doors, this.#random());
  }

  /** Time of the next tap. */
  get next(): number {
    return this.#next;
  }

  /** Returns the indexes of the doors that are tapped until `now`. */
  due(now: number): number[] {
    const tapped: number[] = [];
    while (this.#next <= now) {
      tapped.push(Math.floor(this.#random() * this.#doors));
      this.#next += this.#gapAt(this.#next);
    }
    return tapped;
  }
}
