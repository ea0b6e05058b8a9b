import { describe, expect, it } from 'vitest';
import { computeValidityTimelinePosition } from './validity-timeline-position.ts';

const [first, second] = ['2026-06-01T10:00:00Z', '2026-06-03T10:00:00Z'];
const at = (iso: string) => Date.parse(iso);

describe('computeValidityTimelinePosition', () => {
  it('places the present in proportion within the range', () => {
    expect(computeValidityTimelinePosition(first, second, at('2026-06-02T10:00:00Z'))).toEqual({
      start: 0.2,
      end: 0.8,
      now: 0.5,
    });
    expect(computeValidityTimelinePosition(first, second, at(first)).now).toBe(0.2);
  });

  it('places the present before or after the range', () => {
    expect(computeValidityTimelinePosition(first, second, at('2020-01-01T00:00:00Z')).now).toBeLessThan(0.2);
    expect(computeValidityTimelinePosition(first, second, at(second)).now).toBeGreaterThan(0.8);
  });

  it('extends a range without a bound to the end of the line', () => {
    expect(computeValidityTimelinePosition(null, null, 0)).toEqual({ start: 0, end: 1, now: 0.5 });
    expect(computeValidityTimelinePosition(null, second, at(first))).toMatchObject({ start: 0, end: 0.8 });
  });
});
