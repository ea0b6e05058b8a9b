import { dayShare, gapToNextTap } from './tap-rhythm.ts';

const DAY_MS = 86_400_000;

/** How busy the doors are. */
export interface TapPlan {
  /** Of each door, on average. */
  readonly tapsPerHour: number;
  /** A hotel's day, from midnight to midnight, is played in this time; null: the same all the time. */
  readonly dayMs: number | null;
}

/**
 * Taps at many doors. Doors that are each a Poisson process are one together, which picks a door at random: so there is
 * one moment to wait for, however many doors there are.
 */
export class TapSource {
  readonly #plan: TapPlan;
  readonly #doors: number;
  readonly #random: () => number;
  readonly #start: number;
  #next: number;

  constructor(plan: TapPlan, doors: number, start: number, random: () => number) {
    this.#plan = plan;
    this.#doors = doors;
    this.#random = random;
    this.#start = start;
    this.#next = start + this.#gapAt(start);
  }

  #gapAt(now: number): number {
    const { tapsPerHour, dayMs } = this.#plan;
    const share = dayMs === null || dayMs === 0 ? 1 : dayShare(((now - this.#start) / dayMs) * DAY_MS);
    return gapToNextTap(tapsPerHour * share * this.#doors, this.#random());
  }

  /** When the next tap comes. */
  get next(): number {
    return this.#next;
  }

  /** The doors that were tapped until now. */
  due(now: number): number[] {
    const tapped: number[] = [];
    while (this.#next <= now) {
      tapped.push(Math.floor(this.#random() * this.#doors));
      this.#next += this.#gapAt(this.#next);
    }
    return tapped;
  }
}
