import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LatencyHistogram } from './latency-histogram.ts';

const durations = fc.array(fc.double({ min: 0.001, max: 3_600_000, noNaN: true }), { minLength: 1, maxLength: 200 });
const shares = fc.double({ min: 0.01, max: 1, noNaN: true });

const filled = (values: readonly number[]): LatencyHistogram => {
  const histogram = new LatencyHistogram();
  for (const value of values) histogram.add(value);
  return histogram;
};

const exact = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * values.length)) - 1]!;

describe('LatencyHistogram', () => {
  it('never underestimates a quantile, and overestimates it by 1/64 or one microsecond at most', () => {
    fc.assert(
      fc.property(durations, shares, (values, share) => {
        const reported = filled(values).quantile(share)!;
        const truth = exact(values, share);
        expect(reported).toBeGreaterThanOrEqual(truth * (1 - 1e-9));
        expect(reported).toBeLessThanOrEqual(truth * (1 + 1 / 64) + 0.0011);
      }),
    );
  });

  it('merges two histograms exactly', () => {
    fc.assert(
      fc.property(durations, durations, shares, (some, others, share) => {
        const merged = filled(some);
        merged.merge(filled(others).counts());
        const together = filled([...some, ...others]);
        expect(merged.quantile(share)).toBe(together.quantile(share));
        expect([merged.count, merged.longest]).toEqual([together.count, together.longest]);
      }),
    );
  });

  it('returns the exact maximum, and nothing when empty', () => {
    expect(filled([1, 2.5, 1000.25]).longest).toBe(1000.25);
    expect(filled([1, 2.5, 1000.25]).quantile(1)).toBe(1000.25);
    expect([new LatencyHistogram().quantile(0.5), new LatencyHistogram().longest]).toEqual([null, null]);
  });
});
