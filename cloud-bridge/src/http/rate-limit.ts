import { ApiError } from './api-error.ts';

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export const defaultRateLimit: RateLimit = { perSecond: 100, burst: 1000 };

const MAX_BUCKETS = 50_000;

/** Token bucket per key: starts full and refills at a constant rate. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #monotonic: () => number;
  readonly #buckets = new Map<string, { permits: number; at: number }>();

  constructor(limit: RateLimit, monotonicMilliseconds: () => number) {
    this.#limit = limit;
    this.#monotonic = monotonicMilliseconds;
  }

  take(key: string): void {
    const { perSecond, burst } = this.#limit;
    const now = this.#monotonic();
    const bucket = this.#buckets.get(key) ?? this.#newBucket(key, now);
    bucket.permits = Math.min(burst, bucket.permits + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (bucket.permits < 1) {
      const seconds = String(Math.max(1, Math.ceil((1 - bucket.permits) / perSecond)));
      const message = `Too many requests: the limit is ${perSecond} per second`;
      throw new ApiError('rate_limited', message, { retry_after: seconds }, { 'retry-after': seconds });
    }
    bucket.permits -= 1;
  }

  /** Returns the permit of a request that should not count, such as a successful claim. */
  returnPermit(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.permits = Math.min(this.#limit.burst, bucket.permits + 1);
  }

  #newBucket(key: string, now: number): { permits: number; at: number } {
    if (this.#buckets.size >= MAX_BUCKETS) this.#dropFull(now);
    const bucket = { permits: this.#limit.burst, at: now };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  /** A full bucket is the same as a new one. */
  #dropFull(now: number): void {
    const { perSecond, burst } = this.#limit;
    for (const [key, { permits, at }] of this.#buckets) {
      if (permits + ((now - at) / 1000) * perSecond >= burst) this.#buckets.delete(key);
    }
    if (this.#buckets.size >= MAX_BUCKETS) this.#buckets.clear();
  }
}
