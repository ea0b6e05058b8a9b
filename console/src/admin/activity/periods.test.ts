import { describe, expect, it } from 'vitest';
import { findPeriodOfRange, timeRangeOfPeriod } from './periods.ts';

const madrid = 'Europe/Madrid';
const now = Date.parse('2026-06-01T22:30:00Z');

describe('periods', () => {
  it('count days on the calendar of the site', () => {
    expect(timeRangeOfPeriod('last_night', now, madrid)).toEqual({
      from: '2026-06-01T18:00',
      until: '2026-06-02T08:00',
    });
    expect(timeRangeOfPeriod('yesterday', now, madrid)).toEqual({
      from: '2026-06-01T00:00',
      until: '2026-06-02T00:00',
    });
    expect(timeRangeOfPeriod('today', now, madrid)).toEqual({ from: '2026-06-02T00:00', until: '' });
  });

  it('are recognized by their range', () => {
    expect(findPeriodOfRange(timeRangeOfPeriod('week', now, madrid), now, madrid)).toBe('week');
    expect(findPeriodOfRange({ from: '2026-06-01T00:00', until: '' }, now, madrid)).toBeNull();
  });
});
