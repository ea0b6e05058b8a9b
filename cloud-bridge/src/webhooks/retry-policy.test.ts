import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeNextWebhookAttemptAt, parseRetryAfter, WEBHOOK_RETRY_WINDOW_MS } from './retry-policy.ts';

const failure = { attempts: 1, triedSince: 0, now: 0, retryAfterMs: null, random: 0.5 };

/** The waits for a receiver that never responds, with each attempt made when it is due. */
const waits = (random: () => number): number[] => {
  const found: number[] = [];
  for (let [attempts, now] = [1, 0]; ; attempts++) {
    const next = computeNextWebhookAttemptAt({ ...failure, attempts, now, random: random() });
    if (next === null) return found;
    found.push(next - now);
    now = next;
  }
};

describe('computeNextWebhookAttemptAt', () => {
  it('waits 3 s and then twice as long each time, within one hour', () => {
    expect(waits(() => 0.5)).toEqual([3, 6, 12, 24, 48, 96, 192, 384, 768, 1536].map(seconds => seconds * 1000));
  });

  it('varies the delay by at most a fifth and never exceeds the retry window', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 20 }), drawn => {
        let at = 0;
        const found = waits(() => drawn[at++ % drawn.length]!);
        for (const [index, wait] of found.entries()) {
          expect(wait / (3000 * 2 ** index)).toBeGreaterThan(0.799);
          expect(wait / (3000 * 2 ** index)).toBeLessThan(1.201);
        }
        expect(found.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(WEBHOOK_RETRY_WINDOW_MS);
        expect(found.length).toBeGreaterThanOrEqual(9);
      }),
    );
  });

  it('waits as long as Retry-After demands, within the retry window', () => {
    expect(computeNextWebhookAttemptAt({ ...failure, retryAfterMs: 60_000 })).toBe(60_000);
    expect(computeNextWebhookAttemptAt({ ...failure, retryAfterMs: 1000 })).toBe(3000);
    expect(computeNextWebhookAttemptAt({ ...failure, retryAfterMs: 86_400_000 })).toBe(WEBHOOK_RETRY_WINDOW_MS);
  });
});

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-06-01T10:00:00Z');

  it('reads seconds and HTTP dates', () => {
    expect(parseRetryAfter('120', now)).toBe(120_000);
    expect(parseRetryAfter('Mon, 01 Jun 2026 10:00:30 GMT', now)).toBe(30_000);
    expect(parseRetryAfter('Mon, 01 Jun 2026 09:00:00 GMT', now)).toBe(0);
  });

  it.each([undefined, '', '-5', '1.5', 'soon', '99999999999999999999', '2026-06-01'])('returns null for %j', header => {
    expect(parseRetryAfter(header, now)).toBeNull();
  });
});
