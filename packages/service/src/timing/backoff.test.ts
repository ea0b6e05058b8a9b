import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Backoff, computeMaxBackoffDelay } from './backoff.ts';

describe('Backoff', () => {
  it('doubles with each failure up to the maximum, and starts over after a success', () => {
    const backoff = new Backoff({ firstMs: 500, longestMs: 60_000 }, () => 1);
    const waits = Array.from({ length: 10 }, () => backoff.next());
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    backoff.reset();
    expect(backoff.next()).toBe(500);
  });

  it('draws from the whole range, however long it has failed', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 2000 }), draws => {
        const left = [...draws];
        const backoff = new Backoff({ firstMs: 500, longestMs: 60_000 }, () => left.shift()!);
        for (const draw of draws) {
          const wait = backoff.next();
          expect(wait).toBeLessThanOrEqual(60_000 * draw + 1);
          expect(wait).toBeGreaterThanOrEqual(Math.floor(500 * draw));
        }
      }),
    );
  });
});

describe('computeMaxBackoffDelay', () => {
  it('doubles with each failure up to the maximum, for any number of failures', () => {
    const range = { firstMs: 500, longestMs: 3_000 };
    expect([0, 1, 2, 3, 5_000].map(failures => computeMaxBackoffDelay(range, failures))).toEqual([
      500, 1000, 2000, 3000, 3000,
    ]);
  });
});
