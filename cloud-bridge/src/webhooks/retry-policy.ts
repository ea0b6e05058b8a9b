import { type BackoffRange, computeMaxBackoffDelay } from '@lintel/service/timing/backoff';

const SPREAD = 0.2;
export const WEBHOOK_RETRY_WINDOW_MS = 3_600_000;
/** The delay has no upper limit: retries end when it exceeds the retry window. */
const RETRY = { firstMs: 3000, longestMs: Infinity };

/** The delay doubles with each failure, with jitter so that receivers which failed together are not called together. */
export const computeJitteredBackoff = (range: BackoffRange, failures: number, random: number): number =>
  Math.round(computeMaxBackoffDelay(range, failures) * (1 - SPREAD + 2 * SPREAD * random));

export interface WebhookRetryInput {
  /** Attempts so far, this one included. */
  readonly attempts: number;
  /** The time of the first attempt. */
  readonly triedSince: number;
  readonly now: number;
  /** From the receiver's Retry-After header. */
  readonly retryAfterMs: number | null;
  /** 0 up to 1. */
  readonly random: number;
}

/**
 * The time of the next attempt; null after the retry window. Delays double from three seconds. A longer Retry-After is
 * respected within the retry window.
 */
export const computeNextWebhookAttemptAt = ({
  attempts,
  triedSince,
  now,
  retryAfterMs,
  random,
}: WebhookRetryInput): number | null => {
  const end = triedSince + WEBHOOK_RETRY_WINDOW_MS;
  const next = now + computeJitteredBackoff(RETRY, attempts - 1, random);
  if (next > end) return null;
  return Math.max(next, Math.min(now + (retryAfterMs ?? 0), end));
};

/** Seconds or an HTTP date (RFC 9110, 10.2.3); null for anything else. */
export const parseRetryAfter = (header: string | undefined, now: number): number | null => {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = /^[A-Za-z]{3},? /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
};
