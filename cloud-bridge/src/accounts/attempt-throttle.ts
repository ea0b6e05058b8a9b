import { computeMaxBackoffDelay } from '@lintel/service/timing/backoff';
import { ApiError } from '../http/api-error.ts';

const SECOND = 1000;
const FIRST_DELAY_MS = 5 * SECOND;
const MAX_DELAY_MS = 15 * 60 * SECOND;
const MAX_KEYS = 20_000;

interface Attempts {
  count: number;
  lastAt: number;
  blockedUntil: number;
}

/**
 * Counts attempts per key. The first ones are free; after that the wait doubles with each attempt. An attempt counts when
 * it begins, so that concurrent attempts are not all free. The counts live in memory: a restart clears them, and each
 * bridge counts separately.
 */
export class AttemptThrottle {
  readonly #free: number;
  readonly #attempts = new Map<string, Attempts>();

  constructor(free: number) {
    this.#free = free;
  }

  /** Returns 0 if the attempt is permitted, otherwise the milliseconds to wait before the next one. */
  registerAttempt(key: string, now: number): number {
    const attempts = this.#current(key, now);
    // A clock that was set back must not extend the wait.
    const waitMs = Math.min(attempts.blockedUntil - now, MAX_DELAY_MS);
    if (waitMs > 0) return waitMs;
    attempts.count += 1;
    attempts.lastAt = now;
    const excess = attempts.count - this.#free;
    if (excess >= 0)
      attempts.blockedUntil =
        now + computeMaxBackoffDelay({ firstMs: FIRST_DELAY_MS, longestMs: MAX_DELAY_MS }, excess);
    return 0;
  }

  /** Clears all attempts of the key. */
  reset(key: string): void {
    this.#attempts.delete(key);
  }

  /** Removes the last attempt, which succeeded; earlier attempts still count. */
  undoLastAttempt(key: string): void {
    const attempts = this.#attempts.get(key);
    if (attempts === undefined) return;
    attempts.count = Math.max(attempts.count - 1, 0);
    if (attempts.count < this.#free) attempts.blockedUntil = 0;
  }

  #current(key: string, now: number): Attempts {
    const existing = this.#attempts.get(key);
    if (existing !== undefined && !isExpired(existing, now)) return existing;
    this.#attempts.delete(key);
    if (this.#attempts.size >= MAX_KEYS) this.#evictOldest(now);
    const created = { count: 0, lastAt: now, blockedUntil: 0 };
    this.#attempts.set(key, created);
    return created;
  }

  #evictOldest(now: number): void {
    for (const [key, attempts] of this.#attempts) if (isExpired(attempts, now)) this.#attempts.delete(key);
    for (const key of this.#attempts.keys()) {
      if (this.#attempts.size < MAX_KEYS) break;
      this.#attempts.delete(key);
    }
  }
}

/** The API error for an attempt that has to wait. */
export const tooManyAttemptsError = (waitMs: number): ApiError => {
  const seconds = String(Math.ceil(waitMs / 1000));
  return new ApiError('rate_limited', 'Too many attempts', { retry_after: seconds }, { 'retry-after': seconds });
};

const isExpired = ({ lastAt, blockedUntil }: Attempts, now: number): boolean =>
  Math.max(lastAt, blockedUntil) + MAX_DELAY_MS <= now;

/** The IPv4 address, or the first 64 bits of an IPv6 address, since one host can use all 2^64 addresses below them. */
export const networkPrefixOf = (ip: string): string => {
  if (!ip.includes(':')) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = '', tail] = ip.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length;
  return [...groups, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...rest].slice(0, 4).join(':');
};
