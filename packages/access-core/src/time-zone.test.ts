import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from './instant.ts';
import { computeLocalSecondOfWeek, type TimeZone, resolveTimeZone } from './time-zone.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const zone = (name: string): TimeZone => {
  const result = resolveTimeZone(name);
  if (!result.ok) throw new Error(`no zone ${name}`);
  return result.value;
};

const wall = (name: string, time: string): string => {
  const second = computeLocalSecondOfWeek(zone(name), instant(Date.parse(time)));
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${names[Math.floor(second / 86_400)]} ${two((second % 86_400) / 3600)}:${two((second % 3600) / 60)}:${two(second % 60)}`;
};

/** Computes the weekday from the date, independently of the table in the production code. */
const intlClocks = new Map<string, Intl.DateTimeFormat>();
const intlLocalTime = (name: string, at: number): number => {
  const clock =
    intlClocks.get(name) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: name,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    });
  intlClocks.set(name, clock);
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const weekday = (new Date(Date.UTC(part['year']!, part['month']! - 1, part['day'])).getUTCDay() + 6) % 7;
  return weekday * 86_400 + part['hour']! * 3600 + part['minute']! * 60 + part['second']!;
};

describe('computeLocalSecondOfWeek', () => {
  it.each([
    ['before the gap', 'Europe/Madrid', '2026-03-29T00:59:59.999Z', 'Sun 01:59:59'],
    ['after the gap', 'Europe/Madrid', '2026-03-29T01:00:00Z', 'Sun 03:00:00'],
    ['first time through the fold', 'Europe/Madrid', '2026-10-25T00:59:59.999Z', 'Sun 02:59:59'],
    ['second time through the fold', 'Europe/Madrid', '2026-10-25T01:00:00Z', 'Sun 02:00:00'],
    ['half an hour of summer time', 'Australia/Lord_Howe', '2026-10-03T15:30:00Z', 'Sun 02:30:00'],
    ['a quarter-hour zone', 'Asia/Kathmandu', '2026-01-01T18:15:00Z', 'Fri 00:00:00'],
    ['the last second before Samoa left out a Friday', 'Pacific/Apia', '2011-12-30T09:59:59Z', 'Thu 23:59:59'],
    ['the Saturday after that Thursday', 'Pacific/Apia', '2011-12-30T10:00:00Z', 'Sat 00:00:00'],
    ['winter time in the south', 'Pacific/Chatham', '2026-07-01T00:00:00Z', 'Wed 12:45:00'],
    ['before time was standard', 'Europe/Madrid', '1890-01-01T00:14:44Z', 'Wed 00:00:00'],
    ['a summer far from now', 'Europe/Madrid', '2999-07-01T00:00:00Z', 'Mon 02:00:00'],
    ['the year nought', 'UTC', '0000-01-01T00:00:00Z', 'Sat 00:00:00'],
  ])('returns the wall-clock time: %s', (_, name, time, expected) => {
    expect(wall(name, time)).toBe(expected);
  });

  it('handles two clock changes a week apart that cancel each other out', () => {
    expect(wall('America/Recife', '2000-10-08T02:59:59Z')).toBe('Sat 23:59:59');
    expect(wall('America/Recife', '2000-10-08T03:00:00Z')).toBe('Sun 01:00:00');
    expect(wall('America/Recife', '2000-10-15T01:59:59Z')).toBe('Sat 23:59:59');
    expect(wall('America/Recife', '2000-10-15T02:00:00Z')).toBe('Sat 23:00:00');
  });

  it('agrees with Intl in every zone at any time', () => {
    const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const anyTime = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2100, 0) });
    const farTime = fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(9999, 0) });
    fc.assert(
      fc.property(anyZone, fc.oneof(anyTime, farTime), (name, at) => {
        expect(computeLocalSecondOfWeek(zone(name), instant(at))).toBe(intlLocalTime(name, at));
      }),
      { numRuns: iterations({ sample: 300, all: 3_000 }) },
    );
  });

  it('agrees with Intl on both sides of every clock change', () => {
    for (const name of ['Europe/Madrid', 'Africa/Casablanca', 'Australia/Lord_Howe', 'Asia/Gaza', 'Africa/Cairo']) {
      let at: number = Date.UTC(1990, 0);
      let changes = 0;
      while (at < Date.UTC(2050, 0)) {
        at = zone(name).offsetHoldsUntil(instant(at));
        changes++;
        for (const near of [at - 1000, at - 1, at, at + 1000]) {
          expect(computeLocalSecondOfWeek(zone(name), instant(near))).toBe(intlLocalTime(name, near));
        }
      }
      expect(changes).toBeGreaterThan(60);
    }
  });

  it('returns the UTC offset, also west of UTC across midnight', () => {
    const hoursSeen = (name: string): number[] => {
      const days = Array.from({ length: 20_000 }, (_, day) => instant(Date.UTC(1990, 0, 1 + day, day % 24)));
      return [...new Set(days.map(at => zone(name).offsetAt(at) / 3_600_000))].sort((a, b) => a - b);
    };
    expect(hoursSeen('America/New_York')).toEqual([-5, -4]);
    expect(hoursSeen('Europe/Madrid')).toEqual([1, 2]);
    expect(hoursSeen('Pacific/Apia')).toEqual([-11, -10, 13, 14]);
  });

  it('does not depend on earlier calls', () => {
    const times = [2040, 1999, 2026, 2026, 1850, 2026].map(year => Date.UTC(year, 6));
    for (const at of [...times, ...times]) {
      expect(computeLocalSecondOfWeek(zone('America/New_York'), instant(at))).toBe(
        intlLocalTime('America/New_York', at),
      );
    }
  });

  it('is NaN for an invalid time', () => {
    for (const at of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 8.64e15, 1e300]) {
      expect(computeLocalSecondOfWeek(zone('Europe/Madrid'), instant(at))).toBeNaN();
    }
  });
});

describe('resolveTimeZone', () => {
  it('ignores case, resolves aliases and shares one table per zone', () => {
    expect(zone('europe/MADRID')).toBe(zone('Europe/Madrid'));
    expect(wall('US/Eastern', '2026-07-01T12:00:00Z')).toBe('Wed 08:00:00');
    expect(wall('Etc/GMT+3', '2026-07-01T12:00:00Z')).toBe('Wed 09:00:00');
    expect(wall('UTC', '2026-07-01T12:00:00Z')).toBe('Wed 12:00:00');
  });

  it.each([
    null,
    undefined,
    1,
    {},
    ['UTC'],
    '',
    'Mars/Olympus',
    'Europe/Madrid ',
    '+01:00',
    '__proto__',
    'Africa/\u212Aigali',
    'x'.repeat(10_000),
  ])('rejects %j and names the field', name => {
    zone('Africa/Kigali');
    expect(resolveTimeZone(name, 'timezone')).toMatchObject({
      ok: false,
      problems: [{ path: 'timezone', code: 'unknown_time_zone' }],
    });
  });
});
