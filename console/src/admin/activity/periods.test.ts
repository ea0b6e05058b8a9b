import { describe, expect, it } from 'vitest';
import { periodOf, rangeOf } from './periods.ts';

const madrid = 'Europe/Madrid';
const now = Date.parse('2026-06-01T22:30:00Z');

describe('periods', () => {
  it('count days on the calendar of the site', () => {
    expect(rangeOf('last_night', now, madrid)).toEqual({ from: '2026-06-01T18:00', until: '2026-06-02T08:00' });
    expect(rangeOf('yesterday', now, madrid)).toEqual({ from: '2026-06-01T00:00', until: '2026-06-02T00:00' });
    expect(rangeOf('today', now, madrid)).toEqual({ from: '2026-06-02T00:00', until: '' });
  });

  it('are recognized by their range', () => {
    expect(periodOf(rangeOf('week', now, madrid), now, madrid)).toBe('week');
    expect(periodOf({ from: '2026-06-01T00:00', until: '' }, now, madrid)).toBeNull();
  });
});
