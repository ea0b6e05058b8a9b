import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from './instant.ts';
import { compileSchedule, isInside, nextBoundary, parseWeekdays, type Weekdays } from './schedule.ts';
import { type Zone, zoneFor } from './time-zone.ts';

/*
 * A second implementation straight from the specification's sentence: the range of the current weekday that holds the
 * current wall-clock time, both asked from Intl, and boundaries found by walking.
 */
const QUARTER = 900_000;
const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const zoneNames = ['Europe/Madrid', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kathmandu', 'UTC'];
const clocks = new Map(
  zoneNames.map(timeZone => {
    const fields = { weekday: 'long', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
    return [timeZone, new Intl.DateTimeFormat('en-GB', { timeZone, ...fields, hourCycle: 'h23' })] as const;
  }),
);

const naiveInside = (weekdays: Weekdays, zoneName: string, at: number): boolean => {
  const parts = clocks.get(zoneName)!.formatToParts(at);
  const part = (type: string): string => parts.find(one => one.type === type)!.value;
  const second = Number(part('hour')) * 3600 + Number(part('minute')) * 60 + Number(part('second'));
  return weekdays[weekdayNames.indexOf(part('weekday'))]!.ranges.some(
    ({ start, end }) => start <= second && second < end,
  );
};

/** Exact for ranges on quarters of an hour in zones whose offsets are such, as all of these are since 1990. */
const naiveNext = (weekdays: Weekdays, zoneName: string, now: number): number | null => {
  const before = naiveInside(weekdays, zoneName, now);
  let at = Math.floor(now / QUARTER) * QUARTER + QUARTER;
  for (; at < now + 15 * 86_400_000; at += QUARTER) if (naiveInside(weekdays, zoneName, at) !== before) return at;
  return null;
};

const dayOf = (unit: number) =>
  fc.uniqueArray(fc.nat(86_400 / unit), { maxLength: 8 }).map(bounds => {
    const sorted = bounds.sort((a, b) => a - b);
    const pairs = Array.from({ length: Math.floor(sorted.length / 2) }, (_, index) => ({
      start: sorted[2 * index]! * unit,
      end: sorted[2 * index + 1]! * unit,
    }));
    return { ranges: pairs.reverse() };
  });
const weekOf = (unit: number) => fc.array(dayOf(unit), { minLength: 7, maxLength: 7 });

const zoneOf = (name: string): Zone => (zoneFor(name) as { value: Zone }).value;
const anyZone = fc.constantFrom(...zoneNames);
const changes = ['2026-03-29', '2026-10-25', '2026-03-08', '2026-11-01', '2026-04-04', '2026-10-03', '2011-12-30'];
const anyTime = fc.oneof(
  fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2050, 0) }),
  fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -36, max: 36 }), fc.integer({ min: -1, max: QUARTER }))
    .map(([date, hours, rest]) => Date.parse(`${date}T00:00:00Z`) + hours * 3_600_000 + rest),
);

describe('schedules against a naive implementation', () => {
  it('are inside at the same instants', () => {
    fc.assert(
      fc.property(weekOf(1), anyZone, anyTime, (weekdays, name, at) => {
        const inside = isInside(compileSchedule(weekdays), zoneOf(name), instant(at));
        expect(inside).toBe(naiveInside(weekdays, name, at));
      }),
      { numRuns: 2000 },
    );
  });

  it('are inside to the second around each of their own bounds', () => {
    fc.assert(
      fc.property(weekOf(1), anyZone, anyTime, (weekdays, name, from) => {
        const compiled = compileSchedule(weekdays);
        const at = nextBoundary(compiled, zoneOf(name), instant(from));
        fc.pre(at !== null);
        const before = naiveInside(weekdays, name, from);
        expect([naiveInside(weekdays, name, at - 1), naiveInside(weekdays, name, at)]).toEqual([before, !before]);
      }),
      { numRuns: 1000 },
    );
  });

  it('have the same next boundary', () => {
    const sparse = fc
      .tuple(weekOf(900), fc.subarray([0, 1, 2, 3, 4, 5, 6]))
      .map(([days, kept]) => days.map((day, index) => (kept.includes(index) ? day : { ranges: [] })));
    fc.assert(
      fc.property(sparse, anyZone, anyTime, (weekdays, name, now) => {
        const next = nextBoundary(compileSchedule(weekdays), zoneOf(name), instant(now));
        expect(next).toBe(naiveNext(weekdays, name, now));
      }),
      { numRuns: 500 },
    );
  });

  it('are taken by the parser unchanged', () => {
    fc.assert(
      fc.property(weekOf(1), weekdays => {
        expect(parseWeekdays(weekdays)).toEqual({ ok: true, value: weekdays });
      }),
    );
  });
});
