export interface BackoffRange {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Waits that double from failure to failure, each drawn from the whole range, so that a fleet does not come back at once. */
export class Backoff {
  readonly #range: BackoffRange;
  readonly #random: () => number;
  #failures = 0;

  constructor(range: BackoffRange, random: () => number) {
    this.#range = range;
    this.#random = random;
  }

  /** How long to wait after one more failure. */
  next(): number {
    const { firstMs, longestMs } = this.#range;
    const most = Math.min(firstMs * 2 ** this.#failures, longestMs);
    if (most < longestMs) this.#failures += 1;
    return Math.round(most * this.#random());
  }

  reset(): void {
    this.#failures = 0;
  }
}
