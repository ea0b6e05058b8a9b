/** Buckets per power of two. A value is accurate to 1/64. */
const PARTS = 64;
const POWERS = 26;

const bucketOf = (value: number): number => {
  if (value < PARTS) return Math.max(0, Math.floor(value));
  const power = Math.min(Math.floor(Math.log2(value)), POWERS + 5);
  const part = Math.min(PARTS - 1, Math.floor((value / 2 ** power - 1) * PARTS));
  return PARTS + (power - 6) * PARTS + part;
};

/** The upper limit of a bucket, so that a quantile is never too low. */
const topOf = (bucket: number): number => {
  if (bucket < PARTS) return bucket + 1;
  const power = Math.floor((bucket - PARTS) / PARTS) + 6;
  return 2 ** power * (1 + ((bucket % PARTS) + 1) / PARTS);
};

/** Counts by bucket, for messages between processes. */
export interface HistogramCounts {
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
  readonly longest: number;
}

/** Durations in milliseconds, from microseconds to hours, in log-linear buckets. */
export class LatencyHistogram {
  readonly #counts = new Map<number, number>();
  #count = 0;
  #longest = 0;

  get count(): number {
    return this.#count;
  }

  add(milliseconds: number): void {
    this.#increment(bucketOf(milliseconds * 1000), 1);
    if (milliseconds > this.#longest) this.#longest = milliseconds;
  }

  #increment(bucket: number, by: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + by);
    this.#count += by;
  }

  merge({ buckets, longest }: HistogramCounts): void {
    for (const [bucket, count] of buckets) this.#increment(bucket, count);
    this.#longest = Math.max(this.#longest, longest);
  }

  counts(): HistogramCounts {
    return { buckets: [...this.#counts].sort(([a], [b]) => a - b), longest: this.#longest };
  }

  /** In milliseconds. Null when empty. */
  quantile(share: number): number | null {
    if (this.#count === 0) return null;
    const rank = Math.max(1, Math.ceil(share * this.#count));
    let seen = 0;
    for (const [bucket, count] of this.counts().buckets) {
      seen += count;
      if (seen >= rank) return Math.min(topOf(bucket) / 1000, this.#longest);
    }
    return this.#longest;
  }

  get longest(): number | null {
    return this.#count === 0 ? null : this.#longest;
  }
}
