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
/** The limit of an organization or user is this many times the limit of a token or session. */
const SHARED_FACTOR = 10;

interface Bucket {
  /** The limit of this bucket is this many times the limit of its limiter. */
  readonly factor: number;
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

  /** Returns the response headers that tell what is left. */
  take(key: string): Readonly<Record<string, string>> {
    const { perSecond } = this.#limit;
    this.#require(key, 1, `Too many requests: the limit is ${perSecond} per second`);
    return this.#headersOf(this.#buckets.get(key)?.permits ?? 0);
  }

  /** `reset`: seconds until the whole burst is possible again. */
  #headersOf(permits: number): Readonly<Record<string, string>> {
    const { perSecond, burst } = this.#limit;
    const left = Math.max(0, Math.floor(permits));
    return {
      'ratelimit-limit': String(burst),
      'ratelimit-remaining': String(left),
      'ratelimit-reset': String(Math.ceil((burst - left) / perSecond)),
    };
  }

  /** For all tokens of an organization, or all sessions of a user, so that many do not give many times the limit. */
  takeShared(owner: string): void {
    const perSecond = this.#limit.perSecond * SHARED_FACTOR;
    const message = `Too many requests: the limit of all tokens of an organization and of all sessions of a user is ${perSecond} per second`;
    this.#require(owner, SHARED_FACTOR, message);
  }

  #require(key: string, factor: number, message: string): void {
    const missing = this.#takePermits(key, 1, factor);
    if (missing === 0) return;
    const seconds = String(Math.max(1, Math.ceil(missing / (this.#limit.perSecond * factor))));
    const headers = { 'retry-after': seconds, ...(factor === 1 ? this.#headersOf(0) : {}) };
    throw new ApiError('rate_limited', message, { retry_after: seconds }, headers);
  }

  /** Takes all of the permits or none. */
  tryTake(key: string, permits = 1): boolean {
    return this.#takePermits(key, permits, 1) === 0;
  }

  /** Returns how many permits are missing; 0 if they were taken. */
  #takePermits(key: string, permits: number, factor: number): number {
    const { perSecond, burst } = this.#limit;
    const now = this.#monotonic();
    const bucket = this.#buckets.get(key) ?? this.#newBucket(key, now, factor);
    bucket.permits = Math.min(burst * factor, bucket.permits + ((now - bucket.at) / 1000) * perSecond * factor);
    bucket.at = now;
    if (bucket.permits < permits) return permits - bucket.permits;
    bucket.permits -= permits;
    bucket.count += permits;
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
    if (bucket === undefined) return;
    bucket.permits = Math.max(bucket.permits - requests, -this.#limit.perSecond * bucket.factor);
  }

  /** Returns the permit of a request that should not count, such as a successful claim. */
  returnPermit(key: string, permits = 1): void {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return;
    bucket.permits = Math.min(this.#limit.burst * bucket.factor, bucket.permits + permits);
  }

  #newBucket(key: string, now: number, factor: number): Bucket {
    if (this.#buckets.size >= MAX_BUCKETS) this.#dropFull(now);
    const bucket = { factor, permits: this.#limit.burst * factor, at: now, count: 0 };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  /** A full bucket is the same as a new one. */
  #dropFull(now: number): void {
    const { perSecond, burst } = this.#limit;
    for (const [key, { permits, at, factor }] of this.#buckets) {
      if (permits + ((now - at) / 1000) * perSecond * factor >= burst * factor) this.#buckets.delete(key);
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
