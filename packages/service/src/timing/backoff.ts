export interface BackoffRange {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The upper bound of the delay, which doubles with each failure. */
export const computeMaxBackoffDelay = ({ firstMs, longestMs }: BackoffRange, failures: number): number =>
  Math.min(firstMs * 2 ** failures, longestMs);

/** Exponential backoff with full jitter, so that a fleet does not reconnect at the same time. */
export class Backoff {
  readonly #range: BackoffRange;
  readonly #random: () => number;
  #failures = 0;

  constructor(range: BackoffRange, random: () => number) {
    this.#range = range;
    this.#random = random;
  }

  /** The delay after another failure. */
  next(): number {
    const longest = computeMaxBackoffDelay(this.#range, this.#failures);
    if (longest < this.#range.longestMs) this.#failures += 1;
    return Math.round(longest * this.#random());
  }

  reset(): void {
    this.#failures = 0;
  }
}
