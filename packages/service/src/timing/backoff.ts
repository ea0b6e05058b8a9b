export interface BackoffRange {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The longest wait after so many failures: it doubles with each. */
export const longestWait = ({ firstMs, longestMs }: BackoffRange, failures: number): number =>
  Math.min(firstMs * 2 ** failures, longestMs);

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
    const longest = longestWait(this.#range, this.#failures);
    if (longest < this.#range.longestMs) this.#failures += 1;
    return Math.round(longest * this.#random());
  }

  reset(): void {
    this.#failures = 0;
  }
}
