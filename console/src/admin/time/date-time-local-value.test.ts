import { describe, expect, it } from 'vitest';
import {
  countCalendarDaysBetween,
  parseDateTimeLocalValue,
  computeDateTimeLocalValue,
  formatDateTimeLocalValue,
} from './date-time-local-value.ts';
import { findSiteWithCommonClock } from './find-site-with-common-clock.ts';

const madrid = 'Europe/Madrid';

describe('site time', () => {
  it('converts between the wall clock of the site and UTC, in summer and winter', () => {
    expect(parseDateTimeLocalValue('2026-06-01T15:00', madrid)).toBe('2026-06-01T13:00:00.000Z');
    expect(parseDateTimeLocalValue('2026-11-18T11:00', madrid)).toBe('2026-11-18T10:00:00.000Z');
    expect(formatDateTimeLocalValue('2026-11-18T10:00:00Z', madrid)).toBe('2026-11-18T11:00');
  });

  it('uses the offset before the change for a skipped time, and the first of a repeated time', () => {
    expect(parseDateTimeLocalValue('2026-03-29T02:30', madrid)).toBe('2026-03-29T01:30:00.000Z');
    expect(parseDateTimeLocalValue('2026-10-25T02:30', madrid)).toBe('2026-10-25T00:30:00.000Z');
  });

  it('treats an empty or incomplete input as no time', () => {
    expect(parseDateTimeLocalValue('', madrid)).toBeNull();
    expect(parseDateTimeLocalValue('soon', madrid)).toBeNull();
    expect(formatDateTimeLocalValue(null, madrid)).toBe('');
  });

  it('counts days on the calendar of the site', () => {
    const now = Date.parse('2026-06-01T22:30:00Z');
    expect(computeDateTimeLocalValue(now, madrid, 1, 11)).toBe('2026-06-03T11:00');
    expect(countCalendarDaysBetween(now, Date.parse('2026-06-02T21:00:00Z'), madrid)).toBe(0);
    expect(countCalendarDaysBetween(now, Date.parse('2026-06-02T22:00:00Z'), madrid)).toBe(1);
  });
});

const sites = [
  { id: 'madrid', timezone: 'Europe/Madrid' },
  { id: 'airport', timezone: 'Europe/Madrid' },
  { id: 'lisbon', timezone: 'Europe/Lisbon' },
  { id: 'unset', timezone: null },
] as never;

describe('findSiteWithCommonClock', () => {
  it('returns a site if all sites have the same time zone', () => {
    expect(findSiteWithCommonClock(['lisbon'], sites)).toBe('lisbon');
    expect(findSiteWithCommonClock(['airport', 'madrid'], sites)).toBe('madrid');
    expect(findSiteWithCommonClock(['lisbon', 'unset'], sites)).toBe('lisbon');
  });

  it('returns none for several time zones, or without a known site', () => {
    expect(findSiteWithCommonClock(['madrid', 'lisbon'], sites)).toBeUndefined();
    expect(findSiteWithCommonClock(['unset', 'other'], sites)).toBeUndefined();
    expect(findSiteWithCommonClock([], sites)).toBeUndefined();
  });
});
