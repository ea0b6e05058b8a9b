import {
  CLIENT_NETWORK_LEVELS,
  computeNetworkShare,
  listClientNetworks,
} from '@lintel/service/connections/client-network';
import { ApiError } from './api-error.ts';

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export const defaultRateLimit: RateLimit = { perSecond: 100, burst: 1000 };

const MAX_BUCKETS = 50_000;

interface Bucket {
  permits: number;
  at: number;
  /** Requests since the last `takeCounts`. */
  count: number;
}

/** Token bucket per key: starts full and refills at a constant rate. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #monotonic: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit, monotonicMilliseconds: () => number) {
    this.#limit = limit;
    this.#monotonic = monotonicMilliseconds;
  }

  take(key: string): void {
    const { perSecond } = this.#limit;
    const missing = this.#takePermit(key);
    if (missing === 0) return;
    const seconds = String(Math.max(1, Math.ceil(missing / perSecond)));
    const message = `Too many requests: the limit is ${perSecond} per second`;
    throw new ApiError('rate_limited', message, { retry_after: seconds }, { 'retry-after': seconds });
  }

  tryTake(key: string): boolean {
    return this.#takePermit(key) === 0;
  }

  /** Returns the missing part of a permit; 0 if one was taken. */
  #takePermit(key: string): number {
    const { perSecond, burst } = this.#limit;
    const now = this.#monotonic();
    const bucket = this.#buckets.get(key) ?? this.#newBucket(key, now);
    bucket.permits = Math.min(burst, bucket.permits + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (bucket.permits < 1) return 1 - bucket.permits;
    bucket.permits -= 1;
    bucket.count += 1;
    return 0;
  }

  /** The keys with at least this many requests since the last call. */
  takeCounts(minimum: number): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [key, bucket] of this.#buckets) {
      if (bucket.count < minimum) continue;
      counts.set(key, bucket.count);
      bucket.count = 0;
    }
    return counts;
  }

  /** Counts requests at other bridges. A client waits a second at most, because it may have used them long ago. */
  charge(key: string, requests: number): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.permits = Math.max(bucket.permits - requests, -this.#limit.perSecond);
  }

  /** Returns the permit of a request that should not count, such as a successful claim. */
  returnPermit(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.permits = Math.min(this.#limit.burst, bucket.permits + 1);
  }

  #newBucket(key: string, now: number): Bucket {
    if (this.#buckets.size >= MAX_BUCKETS) this.#dropFull(now);
    const bucket = { permits: this.#limit.burst, at: now, count: 0 };
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

/** Limits requests by the network of the client, with IPv6 also by the larger networks that one attacker can have. */
export class NetworkRateLimiter {
  readonly #limiters: readonly RateLimiter[];

  constructor({ perSecond, burst }: RateLimit, monotonicMilliseconds: () => number) {
    this.#limiters = Array.from({ length: CLIENT_NETWORK_LEVELS }, (_, level) => {
      const share = computeNetworkShare(level);
      return new RateLimiter({ perSecond: perSecond * share, burst: burst * share }, monotonicMilliseconds);
    });
  }

  take(address: string): void {
    for (const [level, network] of listClientNetworks(address).entries()) this.#limiters[level]!.take(network);
  }

  returnPermit(address: string): void {
    for (const [level, network] of listClientNetworks(address).entries()) this.#limiters[level]!.returnPermit(network);
  }
}
