import { HOUR_MS } from '@lintel/access-core/durations';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  computeScheduleExceptionPeriod,
  isCalendarDate,
  computeLastDateWithBegunPeriod,
  computeWeekdayOfDate,
} from './schedule-exception-period.ts';

const dates = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 10));

it('accepts only dates of the calendar', () => {
  expect(['2026-12-25', '2028-02-29', '2026-02-29', '2026-13-01', '25.12.2026', ''].map(isCalendarDate)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

it('counts weekdays from Monday', () => {
  expect(['2026-06-01', '2026-06-07'].map(computeWeekdayOfDate)).toEqual([0, 6]);
});

it('contains the date, and the weekday on no other date, in every time zone', () => {
  const property = fc.property(dates, fc.integer({ min: -12, max: 14 }), (date, offset) => {
    const { from, until } = computeScheduleExceptionPeriod(date);
    const days = new Set<string>();
    for (let at = from + offset * HOUR_MS; at < until + offset * HOUR_MS; at += HOUR_MS)
      days.add(new Date(at).toISOString().slice(0, 10));
    expect([...days].filter(day => computeWeekdayOfDate(day) === computeWeekdayOfDate(date))).toEqual([date]);
    const hours = Array.from({ length: 24 }, (_, hour) => Date.parse(`${date}T00:00:00Z`) + (hour - offset) * HOUR_MS);
    expect(hours.filter(at => at < from || at >= until)).toEqual([]);
    expect(computeLastDateWithBegunPeriod(from)).toBe(date);
  });
  fc.assert(property);
});
