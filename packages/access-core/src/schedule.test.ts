import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant, instant } from './instant.ts';
import {
  compileSchedule,
  type TimeOfDayRange,
  isInsideSchedule,
  nextScheduleBoundary,
  parseWeeklyTimeRanges,
} from './schedule.ts';
import { type TimeZone, resolveTimeZone } from './time-zone.ts';

const HOUR = 3600;
const range = (start: number, end: number): TimeOfDayRange => ({ start, end });
/** A week with these ranges on the given days and none on the others. */
const week = (days: Readonly<Record<number, readonly TimeOfDayRange[]>>) =>
  Array.from({ length: 7 }, (_, day) => ({ ranges: days[day] ?? [] }));
const problemsOf = (value: unknown) => {
  const result = parseWeeklyTimeRanges(value, 'weekdays');
  return result.ok ? [] : result.problems.map(({ path, code }) => `${path} ${code}`);
};

describe('parseWeeklyTimeRanges', () => {
  it('accepts seven days and keeps the order of the ranges', () => {
    const given = week({ 0: [range(50, 60), range(0, 50)], 6: [range(0, 86_400)] });
    expect(parseWeeklyTimeRanges(given)).toEqual({ ok: true, value: given });
  });

  it.each([[null], [undefined], ['weekdays'], [{}], [{ length: 7 }], [[]], [week({}).slice(1)], [Array(1_000_000)]])(
    'rejects anything but exactly seven days (%#)',
    value => {
      expect(problemsOf(value)).toEqual(['weekdays invalid_type']);
    },
  );

  it('names the path of every problem', () => {
    const days: unknown[] = week({ 1: [range(0, 10)] });
    days[0] = null;
    days[2] = { ranges: [{ start: 5, end: 5 }, 'noon', { start: -1, end: 86_401 }] };
    days[3] = { ranges: [{ start: 1.5, end: '9' }, {}], open: true };
    days[4] = { ranges: {} };
    days[5] = { ranges: [{ start: Number.NaN, end: 7, days: 1 }] };
    days[6] = [];
    expect(problemsOf(days)).toEqual([
      'weekdays.0 invalid_type',
      'weekdays.2.ranges.0.end end_before_start',
      'weekdays.2.ranges.1 invalid_type',
      'weekdays.2.ranges.2.start out_of_range',
      'weekdays.2.ranges.2.end out_of_range',
      'weekdays.3.open unknown_field',
      'weekdays.3.ranges.0.start out_of_range',
      'weekdays.3.ranges.0.end invalid_type',
      'weekdays.3.ranges.1.start invalid_type',
      'weekdays.3.ranges.1.end invalid_type',
      'weekdays.4.ranges invalid_type',
      'weekdays.5.ranges.0.days unknown_field',
      'weekdays.5.ranges.0.start out_of_range',
      'weekdays.6 invalid_type',
    ]);
  });

  it('rejects overlapping ranges of one day and names the later one', () => {
    expect(problemsOf(week({ 1: [range(10, 20), range(19, 30)] }))).toEqual(['weekdays.1.ranges.1 overlap']);
    expect(problemsOf(week({ 1: [range(19, 30), range(10, 20)] }))).toEqual(['weekdays.1.ranges.1 overlap']);
    expect(problemsOf(week({ 1: [range(0, 100), range(10, 20), range(50, 60)] }))).toEqual([
      'weekdays.1.ranges.1 overlap',
      'weekdays.1.ranges.2 overlap',
    ]);
    expect(problemsOf(week({ 1: [range(5, 6), range(5, 6)] }))).toEqual(['weekdays.1.ranges.1 overlap']);
  });

  it('accepts adjacent ranges, and the same hours on several days', () => {
    expect(problemsOf(week({ 1: [range(10, 20), range(20, 30), range(0, 10)], 2: [range(10, 20)] }))).toEqual([]);
  });

  it('accepts one range per minute of a day, and rejects more without reading them', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => range(index * 2, index * 2 + 1));
    expect(problemsOf(week({ 3: many(1_440) }))).toEqual([]);
    expect(problemsOf(week({ 3: many(1_441) }))).toEqual(['weekdays.3.ranges too_many']);
    expect(problemsOf([...week({}).slice(1), { ranges: Array(5_000_000) }])).toEqual(['weekdays.6.ranges too_many']);
  });

  it('rejects a field named like a prototype property as unknown', () => {
    const day: unknown = JSON.parse('{"ranges":[],"__proto__":{"ranges":[]}}');
    expect(problemsOf([...week({}).slice(1), day])).toEqual(['weekdays.6.__proto__ unknown_field']);
    const bare: unknown = JSON.parse('{"__proto__":{"ranges":[]}}');
    expect(problemsOf([...week({}).slice(1), bare])).toContain('weekdays.6.ranges invalid_type');
  });

  it('never throws', () => {
    const anyDay = fc.oneof(fc.anything(), fc.record({ ranges: fc.oneof(fc.anything(), fc.array(fc.anything())) }));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.array(anyDay, { minLength: 7, maxLength: 7 })), value => {
        const result = parseWeeklyTimeRanges(value);
        expect(result.ok || result.problems.length > 0).toBe(true);
      }),
    );
  });
});

const madrid = (resolveTimeZone('Europe/Madrid') as { value: TimeZone }).value;
const at = (time: string) => instant(Date.parse(time));
const inside = (days: Parameters<typeof week>[0], time: string): boolean =>
  isInsideSchedule(compileSchedule(week(days)), madrid, at(time));
const after = (days: Parameters<typeof week>[0], time: string): string | null => {
  const next = nextScheduleBoundary(compileSchedule(week(days)), madrid, at(time));
  return next === null ? null : formatInstant(next);
};

describe('compileSchedule', () => {
  it('joins adjacent ranges, also across midnight', () => {
    const days = { 0: [range(10, 20), range(0, 10), range(50, 86_400)], 1: [range(0, 5)] };
    expect([...compileSchedule(week(days))]).toEqual([0, 20, 50, 86_405]);
  });
});

describe('isInsideSchedule', () => {
  const mornings = { 0: [range(8 * HOUR, 12 * HOUR)] };

  it('includes the start and excludes the end', () => {
    expect(inside(mornings, '2026-06-01T05:59:59.999Z')).toBe(false);
    expect(inside(mornings, '2026-06-01T06:00:00.000Z')).toBe(true);
    expect(inside(mornings, '2026-06-01T09:59:59.999Z')).toBe(true);
    expect(inside(mornings, '2026-06-01T10:00:00.000Z')).toBe(false);
    expect(inside(mornings, '2026-06-02T06:00:00.000Z')).toBe(false);
  });

  it('treats 86400 as the end of the day', () => {
    const sundays = { 6: [range(86_399, 86_400)] };
    expect(inside(sundays, '2026-06-07T21:59:59.999Z')).toBe(true);
    expect(inside(sundays, '2026-06-07T22:00:00.000Z')).toBe(false);
  });

  it('supports a night split over two days, each evaluated by its own weekday', () => {
    const saturdayNight = { 5: [range(22 * HOUR, 24 * HOUR)], 6: [range(0, 6 * HOUR)] };
    expect(inside(saturdayNight, '2026-06-06T21:59:59.999Z')).toBe(true);
    expect(inside(saturdayNight, '2026-06-06T22:00:00.000Z')).toBe(true);
    expect(inside(saturdayNight, '2026-06-07T04:00:00.000Z')).toBe(false);
    expect(inside({ 5: [range(22 * HOUR, 24 * HOUR)] }, '2026-06-06T22:00:00.000Z')).toBe(false);
  });

  it('is never inside an hour that the clock skips, and twice inside one that it repeats', () => {
    const twoToThree = { 6: [range(2 * HOUR, 3 * HOUR)] };
    expect(inside(twoToThree, '2026-03-29T00:59:59.999Z')).toBe(false);
    expect(inside(twoToThree, '2026-03-29T01:00:00.000Z')).toBe(false);
    expect(inside(twoToThree, '2026-10-25T00:30:00.000Z')).toBe(true);
    expect(inside(twoToThree, '2026-10-25T01:30:00.000Z')).toBe(true);
    expect(inside(twoToThree, '2026-10-25T02:00:00.000Z')).toBe(false);
  });

  it('is false for an empty schedule and for an invalid time', () => {
    expect(inside({}, '2026-06-01T06:00:00Z')).toBe(false);
    const always = compileSchedule(
      week(Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map(day => [day, [range(0, 86_400)]]))),
    );
    expect(isInsideSchedule(always, madrid, at('2026-06-01T06:00:00Z'))).toBe(true);
    expect(isInsideSchedule(always, madrid, instant(Number.NaN))).toBe(false);
  });
});

describe('nextScheduleBoundary', () => {
  it('is the next start or end, up to a week ahead', () => {
    const mornings = { 0: [range(8 * HOUR, 12 * HOUR)] };
    expect(after(mornings, '2026-06-01T00:00:00.123Z')).toBe('2026-06-01T06:00:00.000Z');
    expect(after(mornings, '2026-06-01T06:00:00.000Z')).toBe('2026-06-01T10:00:00.000Z');
    expect(after(mornings, '2026-06-01T10:00:00.000Z')).toBe('2026-06-08T06:00:00.000Z');
  });

  it('skips a range that lies entirely in a skipped hour', () => {
    const halfPastTwo = { 6: [range(2 * HOUR, 2.5 * HOUR)] };
    expect(after(halfPastTwo, '2026-03-28T12:00:00.000Z')).toBe('2026-04-05T00:00:00.000Z');
  });

  it('is the clock change itself when that enters or leaves a range', () => {
    expect(after({ 6: [range(2.5 * HOUR, 4 * HOUR)] }, '2026-03-28T12:00:00.000Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(after({ 6: [range(HOUR, 2.5 * HOUR)] }, '2026-03-29T00:30:00.000Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(after({ 6: [range(2 * HOUR, 2.5 * HOUR)] }, '2026-10-25T00:45:00.000Z')).toBe('2026-10-25T01:00:00.000Z');
    expect(after({ 6: [range(2.5 * HOUR, 3 * HOUR)] }, '2026-10-25T00:45:00.000Z')).toBe('2026-10-25T01:00:00.000Z');
  });

  it('is not midnight when the schedule continues, including Sunday to Monday', () => {
    const days = { 6: [range(80_000, 86_400)], 0: [range(0, HOUR)] };
    expect(after(days, '2026-06-07T21:00:00.000Z')).toBe('2026-06-07T23:00:00.000Z');
  });

  it('is null when the schedule is always or never active', () => {
    const always = Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map(day => [day, [range(0, 86_400)]]));
    expect(after(always, '2026-06-01T06:00:00Z')).toBeNull();
    expect(after({}, '2026-06-01T06:00:00Z')).toBeNull();
    expect(nextScheduleBoundary(compileSchedule(week({ 0: [range(0, 1)] })), madrid, instant(Number.NaN))).toBeNull();
  });
});
