import { computeMaxBackoffDelay } from '@lintel/service/timing/backoff';
import { ApiError } from '../http/api-error.ts';

const SECOND = 1000;
const FIRST_DELAY_MS = 5 * SECOND;
const MAX_DELAY_MS = 15 * 60 * SECOND;
const MAX_KEYS = 20_000;

/** The attempts of one key. */
export interface AttemptThrottleState {
  readonly count: number;
  readonly lastAt: number;
  readonly blockedUntil: number;
}

/** Attempts whose last effect is before this time no longer count. */
export const computeAttemptExpiryCutoff = (now: number): number => now - MAX_DELAY_MS;

const isExpired = ({ lastAt, blockedUntil }: AttemptThrottleState, now: number): boolean =>
  Math.max(lastAt, blockedUntil) <= computeAttemptExpiryCutoff(now);

/** The first attempts are free; after that the wait doubles with each attempt. `waitMs` is 0 if this one is permitted. */
export const addAttempt = (
  known: AttemptThrottleState | null,
  free: number,
  now: number,
): { readonly attempts: AttemptThrottleState; readonly waitMs: number } => {
  const before = known === null || isExpired(known, now) ? { count: 0, lastAt: now, blockedUntil: 0 } : known;
  // A clock that was set back must not extend the wait.
  const waitMs = Math.min(before.blockedUntil - now, MAX_DELAY_MS);
  if (waitMs > 0) return { attempts: before, waitMs };
  const count = before.count + 1;
  const excess = count - free;
  const delays = { firstMs: FIRST_DELAY_MS, longestMs: MAX_DELAY_MS };
  const blockedUntil = excess >= 0 ? now + computeMaxBackoffDelay(delays, excess) : before.blockedUntil;
  return { attempts: { count, lastAt: now, blockedUntil }, waitMs: 0 };
};

/** Removes the last attempt, which succeeded; earlier attempts still count. */
export const removeLastAttempt = (attempts: AttemptThrottleState, free: number): AttemptThrottleState => {
  const count = Math.max(attempts.count - 1, 0);
  return { ...attempts, count, blockedUntil: count < free ? 0 : attempts.blockedUntil };
};

/**
 * Counts attempts per key. An attempt counts when it begins, so that concurrent attempts are not all free. The counts
 * live in memory: a restart clears them.
 */
export class InMemoryAttemptThrottle {
  readonly #free: number;
  readonly #attempts = new Map<string, AttemptThrottleState>();

  constructor(free: number) {
    this.#free = free;
  }

  /** Returns 0 if the attempt is permitted, otherwise the milliseconds to wait before the next one. */
  registerAttempt(key: string, now: number): number {
    const known = this.#attempts.get(key) ?? null;
    if (known === null && this.#attempts.size >= MAX_KEYS) this.#evictOldest(now);
    const { attempts, waitMs } = addAttempt(known, this.#free, now);
    // An expired key moves to the end, because the oldest are removed first.
    if (known !== null && isExpired(known, now)) this.#attempts.delete(key);
    this.#attempts.set(key, attempts);
    return waitMs;
  }

  /** Clears all attempts of the key. */
  reset(key: string): void {
    this.#attempts.delete(key);
  }

  /** Removes the last attempt, which succeeded; earlier attempts still count. */
  undoLastAttempt(key: string): void {
    const attempts = this.#attempts.get(key);
    if (attempts !== undefined) this.#attempts.set(key, removeLastAttempt(attempts, this.#free));
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
export const createTooManyAttemptsError = (waitMs: number): ApiError => {
  const seconds = String(Math.ceil(waitMs / 1000));
  return new ApiError(
    'rate_limited',
    `Too many attempts. Try again in ${seconds} seconds`,
    { retry_after: seconds },
    { 'retry-after': seconds },
  );
};
