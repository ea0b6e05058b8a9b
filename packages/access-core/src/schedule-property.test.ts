import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from './instant.ts';
import {
  compileSchedule,
  isInsideSchedule,
  nextScheduleBoundary,
  parseWeeklyTimeRanges,
  type WeeklyTimeRanges,
} from './schedule.ts';
import { type TimeZone, resolveTimeZone } from './time-zone.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

/*
 * Reference implementation of the specification: compares the wall-clock time from Intl with the ranges of the current
 * weekday, and finds boundaries by stepping through time.
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

const referenceInside = (weekdays: WeeklyTimeRanges, zoneName: string, at: number): boolean => {
  const parts = clocks.get(zoneName)!.formatToParts(at);
  const part = (type: string): string => parts.find(one => one.type === type)!.value;
  const second = Number(part('hour')) * 3600 + Number(part('minute')) * 60 + Number(part('second'));
  return weekdays[weekdayNames.indexOf(part('weekday'))]!.ranges.some(
    ({ start, end }) => start <= second && second < end,
  );
};

/** Exact for ranges on quarter hours in zones with quarter-hour offsets, as all of these have had since 1990. */
const referenceNextBoundary = (weekdays: WeeklyTimeRanges, zoneName: string, now: number): number | null => {
  const before = referenceInside(weekdays, zoneName, now);
  let at = Math.floor(now / QUARTER) * QUARTER + QUARTER;
  for (; at < now + 15 * 86_400_000; at += QUARTER) if (referenceInside(weekdays, zoneName, at) !== before) return at;
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

const zoneOf = (name: string): TimeZone => (resolveTimeZone(name) as { value: TimeZone }).value;
const anyZone = fc.constantFrom(...zoneNames);
const changes = ['2026-03-29', '2026-10-25', '2026-03-08', '2026-11-01', '2026-04-04', '2026-10-03', '2011-12-30'];
const anyTime = fc.oneof(
  fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2050, 0) }),
  fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -36, max: 36 }), fc.integer({ min: -1, max: QUARTER }))
    .map(([date, hours, rest]) => Date.parse(`${date}T00:00:00Z`) + hours * 3_600_000 + rest),
);

describe('schedules compared with a reference implementation', () => {
  it('are active at the same instants', () => {
    fc.assert(
      fc.property(weekOf(1), anyZone, anyTime, (weekdays, name, at) => {
        const inside = isInsideSchedule(compileSchedule(weekdays), zoneOf(name), instant(at));
        expect(inside).toBe(referenceInside(weekdays, name, at));
      }),
      { numRuns: iterations({ sample: 200, all: 2_000 }) },
    );
  });

  it('change exactly at each boundary', () => {
    fc.assert(
      fc.property(weekOf(1), anyZone, anyTime, (weekdays, name, from) => {
        const compiled = compileSchedule(weekdays);
        const at = nextScheduleBoundary(compiled, zoneOf(name), instant(from));
        fc.pre(at !== null);
        const before = referenceInside(weekdays, name, from);
        expect([referenceInside(weekdays, name, at - 1), referenceInside(weekdays, name, at)]).toEqual([
          before,
          !before,
        ]);
      }),
      { numRuns: iterations({ sample: 100, all: 1_000 }) },
    );
  });

  it('have the same next boundary', () => {
    const sparse = fc
      .tuple(weekOf(900), fc.subarray([0, 1, 2, 3, 4, 5, 6]))
      .map(([days, kept]) => days.map((day, index) => (kept.includes(index) ? day : { ranges: [] })));
    fc.assert(
      fc.property(sparse, anyZone, anyTime, (weekdays, name, now) => {
        const next = nextScheduleBoundary(compileSchedule(weekdays), zoneOf(name), instant(now));
        expect(next).toBe(referenceNextBoundary(weekdays, name, now));
      }),
      { numRuns: iterations({ sample: 100, all: 500 }) },
    );
  });

  it('pass the parser unchanged', () => {
    fc.assert(
      fc.property(weekOf(1), weekdays => {
        expect(parseWeeklyTimeRanges(weekdays)).toEqual({ ok: true, value: weekdays });
      }),
    );
  });
});
