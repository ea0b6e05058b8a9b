import * as fc from 'fast-check';
import { parseWeeklyTimeRanges } from '@lintel/access-core/schedule';
import { describe, expect, it } from 'vitest';
import {
  copyDayRanges,
  DAY_S,
  dragWeekRange,
  parseTimeInputValue,
  HOUR_S,
  createWeekRangeBetween,
  formatTimeInputValue,
  toWeeklyTimeRanges,
  toWeekRanges,
  type WeekRange,
  createWeekRangeFromTimes,
  createTimeOfDayFormat,
  describeWeekRanges,
} from './week-ranges.ts';

const range = (day: number, from: number, hours: number): WeekRange => ({
  day,
  start: from * HOUR_S,
  length: hours * HOUR_S,
});
const hoursOf = (ranges: readonly WeekRange[]) =>
  toWeeklyTimeRanges(ranges).map(day => day.ranges.map(({ start, end }) => [start / HOUR_S, end / HOUR_S]));

describe('toWeeklyTimeRanges', () => {
  it('splits a range at midnight, also from Sunday to Monday', () => {
    expect(hoursOf([range(0, 22, 8), range(6, 23, 2)])).toEqual([
      [
        [0, 1],
        [22, 24],
      ],
      [[0, 6]],
      [],
      [],
      [],
      [],
      [[23, 24]],
    ]);
  });

  it('merges ranges that overlap or touch, because the API rejects overlaps', () => {
    expect(hoursOf([range(0, 8, 4), range(0, 10, 4), range(0, 14, 1)])[0]).toEqual([[8, 15]]);
  });
});

describe('toWeekRanges', () => {
  it('shows a night as one range and whole days as days', () => {
    expect(toWeekRanges(toWeeklyTimeRanges([range(4, 22, 8)]))).toEqual([range(4, 22, 8)]);
    expect(toWeekRanges(toWeeklyTimeRanges([range(0, 0, 24), range(1, 0, 24)]))).toEqual([
      range(0, 0, 24),
      range(1, 0, 24),
    ]);
    expect(toWeekRanges(toWeeklyTimeRanges([range(6, 20, 10)]))).toEqual([range(6, 20, 10)]);
  });

  it('keeps the times of every schedule, in a form that the API accepts', () => {
    const anyRange = fc.record({
      day: fc.integer({ min: 0, max: 6 }),
      start: fc.integer({ min: 0, max: 47 }).map(half => half * 1800),
      length: fc.integer({ min: 1, max: 48 }).map(half => half * 1800),
    });
    fc.assert(
      fc.property(fc.array(anyRange, { maxLength: 12 }), ranges => {
        const weekdays = toWeeklyTimeRanges(ranges);
        expect(parseWeeklyTimeRanges(weekdays).ok).toBe(true);
        expect(toWeeklyTimeRanges(toWeekRanges(weekdays))).toEqual(weekdays);
      }),
    );
  });
});

describe('dragWeekRange', () => {
  const step = HOUR_S / 2;
  it('moves a range to another day and time', () => {
    expect(dragWeekRange(range(6, 8, 2), 'move', { seconds: HOUR_S, days: 1, step })).toEqual(range(0, 9, 2));
  });

  it('keeps at least one step and at most a day', () => {
    expect(dragWeekRange(range(0, 8, 2), 'end', { seconds: -5 * HOUR_S, days: 0, step }).length).toBe(step);
    expect(dragWeekRange(range(0, 8, 2), 'end', { seconds: 90 * HOUR_S, days: 0, step }).length).toBe(DAY_S);
    expect(dragWeekRange(range(0, 8, 2), 'start', { seconds: 9 * HOUR_S, days: 0, step })).toEqual(range(0, 9.5, 0.5));
    expect(dragWeekRange(range(0, 8, 2), 'start', { seconds: -9 * HOUR_S, days: 0, step })).toEqual(range(0, 0, 10));
  });

  it('creates a range in either direction', () => {
    expect(createWeekRangeBetween(2, 10 * HOUR_S, 8 * HOUR_S, step)).toEqual(range(2, 8, 2));
    expect(createWeekRangeBetween(2, DAY_S, DAY_S, step)).toEqual(range(2, 23.5, 0.5));
  });
});

describe('times of a list', () => {
  it('treats an end at or before the start as the next day', () => {
    expect(createWeekRangeFromTimes(0, 22 * HOUR_S, 6 * HOUR_S)).toEqual(range(0, 22, 8));
    expect(createWeekRangeFromTimes(0, 0, 0)).toEqual(range(0, 0, 24));
    expect([formatTimeInputValue(DAY_S), formatTimeInputValue(30 * HOUR_S), formatTimeInputValue(DAY_S - 1)]).toEqual([
      '00:00',
      '06:00',
      '23:59:59',
    ]);
    expect([parseTimeInputValue('06:30'), parseTimeInputValue('')]).toEqual([6.5 * HOUR_S, null]);
  });

  it('copies a day to others and replaces what they had', () => {
    const copied = copyDayRanges([range(0, 8, 2), range(1, 1, 1), range(2, 5, 1)], 0, [0, 1, 4]);
    expect(copied).toEqual([range(0, 8, 2), range(2, 5, 1), range(1, 8, 2), range(4, 8, 2)]);
  });
});

describe('describeWeekRanges', () => {
  it('joins days with the same times, and shows a night as one range', () => {
    const ranges = [0, 1, 2, 3, 4].map(day => ({ day, start: 8 * HOUR_S, length: 10 * HOUR_S }));
    const night = { day: 5, start: 22 * HOUR_S, length: 8 * HOUR_S };
    expect(describeWeekRanges([...ranges, night], 'en')?.replaceAll('\u202f', ' ')).toBe(
      'Mon–Fri 8:00 AM–6:00 PM · Sat 10:00 PM–6:00 AM',
    );
    expect(describeWeekRanges([], 'en')).toBeNull();
    expect(describeWeekRanges(ranges, 'de')).toBe('Mo–Fr 08:00–18:00');
  });
});

describe('createTimeOfDayFormat', () => {
  it('follows the locale', () => {
    const times = [0, 13.5 * HOUR_S, 20 * HOUR_S, DAY_S - 1];
    const format = (locale: string, isShort: boolean) => times.map(createTimeOfDayFormat(locale, { isShort }));
    const withSpaces = (texts: readonly string[]) => texts.map(text => text.replaceAll('\u202f', ' '));
    expect(withSpaces(format('en-US', false))).toEqual(['12:00 AM', '1:30 PM', '8:00 PM', '11:59:59 PM']);
    expect(withSpaces(format('en-US', true))).toEqual(['12 AM', '1:30 PM', '8 PM', '11:59:59 PM']);
    expect(format('de-DE', true)).toEqual(['00:00', '13:30', '20:00', '23:59:59']);
  });
});
