import { mustBe, mustBeNumberBetween } from './problem-texts.ts';
import { FieldReader, readUntrustedList } from './untrusted-field-reader.ts';
import { type Instant, instant } from './instant.ts';
import { ProblemList } from './problem-list.ts';
import type { Result } from './result.ts';
import { computeLocalSecondOfWeek, type TimeZone } from './time-zone.ts';

/** Seconds since 00:00 of the site's wall clock; the start is inclusive, the end exclusive. */
export interface TimeOfDayRange {
  readonly start: number;
  readonly end: number;
}
export interface WeekdayTimeRanges {
  readonly ranges: readonly TimeOfDayRange[];
}
/** Exactly seven; index 0 is Monday. */
export type WeeklyTimeRanges = readonly WeekdayTimeRanges[];

const DAY = 86_400;
const WEEK = 7 * DAY;
/** One per minute. */
const MOST_RANGES = 1_440;

const readSecond = (fields: FieldReader, key: string): number | null => {
  const value = fields.get(key);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= DAY) return value;
  const code = typeof value === 'number' ? 'out_of_range' : 'invalid_type';
  fields.refuse(key, code, mustBeNumberBetween('whole number of seconds', 0, DAY));
  return null;
};

const parseRange = (value: unknown, path: string, problems: ProblemList): TimeOfDayRange | null => {
  const fields = new FieldReader(value, path, ['start', 'end'], problems);
  if (!fields.isObject) return null;
  const start = readSecond(fields, 'start');
  const end = readSecond(fields, 'end');
  if (start === null || end === null) return null;
  if (end > start) return { start, end };
  fields.refuse('end', 'end_before_start', "must be greater than 'start'");
  return null;
};

/** Reports each range that overlaps an earlier one once, at the range written later. */
const refuseOverlaps = (ranges: readonly (TimeOfDayRange | null)[], path: string, problems: ProblemList): void => {
  const sorted = ranges
    .flatMap((range, index) => (range === null ? [] : [{ ...range, index }]))
    .sort((a, b) => a.start - b.start);
  let longest = sorted[0];
  for (const range of sorted.slice(1)) {
    if (longest !== undefined && range.start < longest.end) {
      const [other, later] = [range.index, longest.index].sort((a, b) => a - b);
      problems.add(`${path}.${later}`, 'overlap', `overlaps range ${other} of the same day`);
    }
    if (longest === undefined || range.end > longest.end) longest = range;
  }
};

const readRanges = (value: unknown, path: string, problems: ProblemList): TimeOfDayRange[] => {
  const ranges = readUntrustedList(value, path, MOST_RANGES, problems, (range, at) => parseRange(range, at, problems));
  refuseOverlaps(ranges, path, problems);
  return ranges.filter(range => range !== null);
};

const parseWeekday = (value: unknown, path: string, problems: ProblemList): WeekdayTimeRanges => {
  const fields = new FieldReader(value, path, ['ranges'], problems);
  return { ranges: fields.isObject ? readRanges(fields.get('ranges'), `${path}.ranges`, problems) : [] };
};

/** The times of a single day. */
export const parseTimeOfDayRanges = (value: unknown, path = 'ranges'): Result<readonly TimeOfDayRange[]> => {
  const problems = new ProblemList();
  return problems.resultOf(readRanges(value, path, problems));
};

export const parseWeeklyTimeRanges = (value: unknown, path = 'weekdays'): Result<WeeklyTimeRanges> => {
  const problems = new ProblemList();
  if (!Array.isArray(value) || value.length !== 7) {
    problems.add(path, 'invalid_type', mustBe('an array of exactly 7 days, Monday first'));
    return problems.refusal();
  }
  return problems.resultOf(readUntrustedList(value, path, 7, problems, (day, at) => parseWeekday(day, at, problems)));
};

/** Alternating start and end times of the schedule, in seconds of the week. Adjacent ranges are merged. */
export type CompiledSchedule = Int32Array;

export const compileSchedule = (weekdays: WeeklyTimeRanges): CompiledSchedule => {
  const ranges = weekdays
    .flatMap(({ ranges }, day) => ranges.map(({ start, end }) => ({ start: day * DAY + start, end: day * DAY + end })))
    .sort((a, b) => a.start - b.start);
  const bounds: number[] = [];
  for (const { start, end } of ranges) {
    const lastEnd = bounds.at(-1);
    if (lastEnd === undefined || start > lastEnd) bounds.push(start, end);
    else bounds[bounds.length - 1] = Math.max(lastEnd, end);
  }
  return Int32Array.from(bounds);
};

/** Number of bounds at or before the second: inside if odd. */
const boundsPassed = (schedule: CompiledSchedule, second: number): number => {
  let low = 0;
  let high = schedule.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (schedule[middle]! <= second) low = middle + 1;
    else high = middle;
  }
  return low;
};

export const isInsideSchedule = (schedule: CompiledSchedule, zone: TimeZone, now: Instant): boolean =>
  boundsPassed(schedule, computeLocalSecondOfWeek(zone, now)) % 2 === 1;

const neverChanges = (schedule: CompiledSchedule): boolean =>
  schedule.length === 0 || (schedule[0] === 0 && schedule[1] === WEEK);

/**
 * The first instant after `now` at which inside changes to outside or back; null if there is none. A clock change can
 * be such an instant, skip one (a range within the skipped hour) or repeat one.
 */
export const nextScheduleBoundary = (schedule: CompiledSchedule, zone: TimeZone, now: Instant): Instant | null => {
  if (neverChanges(schedule)) return null;
  const inside = isInsideSchedule(schedule, zone, now);
  for (let at = now; ; ) {
    const second = computeLocalSecondOfWeek(zone, at);
    if (Number.isNaN(second)) return null;
    const bound = schedule[boundsPassed(schedule, second)] ?? schedule[0]! + WEEK;
    const onThisClock = (Math.floor(at / 1000) + bound - second) * 1000;
    at = instant(Math.min(onThisClock, zone.offsetHoldsUntil(at)));
    if (isInsideSchedule(schedule, zone, at) !== inside) return at;
  }
};
