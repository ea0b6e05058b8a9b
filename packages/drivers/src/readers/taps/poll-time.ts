import { type Monotonic, monotonic } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';

/** For a reader that is asked again and again: time passes with the answers, and little of it when one was long in coming. */
export class PollTime implements Pick<MonotonicClock, 'now'> {
  readonly #mostPerLookMs: number;
  #now: Monotonic = monotonic(0);
  #lastAnswer: Monotonic | null = null;

  constructor(mostPerLookMs: number) {
    this.#mostPerLookMs = mostPerLookMs;
  }

  now(): Monotonic {
    return this.#now;
  }

  /** A look was answered, with a card or with none. */
  answered(at: Monotonic): void {
    if (this.#lastAnswer !== null)
      this.#now = monotonic(this.#now + Math.min(at - this.#lastAnswer, this.#mostPerLookMs));
    this.#lastAnswer = at;
  }
}
