import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';

/** Clock for a polled reader: advances with the responses, and only by a limited step after a slow response. */
export class PollDrivenClock implements Pick<MonotonicClock, 'now'> {
  readonly #mostPerLookMs: number;
  #now: MonotonicTime = monotonic(0);
  #lastAnswer: MonotonicTime | null = null;

  constructor(mostPerLookMs: number) {
    this.#mostPerLookMs = mostPerLookMs;
  }

  now(): MonotonicTime {
    return this.#now;
  }

  /** A poll was answered, with or without a card. */
  answered(at: MonotonicTime): void {
    if (this.#lastAnswer !== null)
      this.#now = monotonic(this.#now + Math.min(at - this.#lastAnswer, this.#mostPerLookMs));
    this.#lastAnswer = at;
  }
}
