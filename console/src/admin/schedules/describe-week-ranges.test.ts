import { describe, expect, it } from 'vitest';
import { describeWeekRanges } from './describe-week-ranges.ts';
import { HOUR_S } from './week-ranges.ts';

describe('describeWeekRanges', () => {
  it('joins days with the same times, and shows a night as one range', () => {
    const ranges = [0, 1, 2, 3, 4].map(day => ({ day, start: 8 * HOUR_S, length: 10 * HOUR_S }));
    expect(describeWeekRanges([...ranges, { day: 5, start: 22 * HOUR_S, length: 8 * HOUR_S }], 'en')).toBe(
      'Mon–Fri 08:00–18:00 · Sat 22:00–06:00',
    );
    expect(describeWeekRanges([], 'en')).toBeNull();
  });
});
