import { describe, expect, it } from 'vitest';
import { findActivityPeriodOfRange, computeActivityPeriodRange } from './activity-periods.ts';

const madrid = 'Europe/Madrid';
const now = Date.parse('2026-06-01T22:30:00Z');

describe('periods', () => {
  it('count days on the calendar of the site', () => {
    expect(computeActivityPeriodRange('last_night', now, madrid)).toEqual({
      from: '2026-06-01T18:00',
      until: '2026-06-02T08:00',
    });
    expect(computeActivityPeriodRange('yesterday', now, madrid)).toEqual({
      from: '2026-06-01T00:00',
      until: '2026-06-02T00:00',
    });
    expect(computeActivityPeriodRange('today', now, madrid)).toEqual({ from: '2026-06-02T00:00', until: '' });
  });

  it('are recognized by their range', () => {
    expect(findActivityPeriodOfRange(computeActivityPeriodRange('week', now, madrid), now, madrid)).toBe('week');
    expect(findActivityPeriodOfRange({ from: '2026-06-01T00:00', until: '' }, now, madrid)).toBeNull();
  });
});
