import type { WeeklyTimeRanges } from '@lintel/access-core/schedule';
import { listWeekdayNames } from './weekday-names.ts';

export const DAY_S = 86_400;
export const HOUR_S = 3600;
const WEEK_DAYS = 7;

/** A time range as people think of it: it may pass midnight, `22:00` to `06:00`. At most one day long. */
export interface WeekRange {
  /** Monday is 0. */
  readonly day: number;
  /** Seconds since midnight. */
  readonly start: number;
  readonly length: number;
}

interface Piece {
  readonly start: number;
  readonly end: number;
}

const dayAfter = (day: number, days = 1): number => (((day + days) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS;

/** Sorted, with overlapping and adjacent ranges merged. */
const mergePieces = (pieces: readonly Piece[]): readonly Piece[] => {
  const merged: Piece[] = [];
  for (const piece of pieces.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || piece.start > last.end) merged.push(piece);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, piece.end) };
  }
  return merged;
};

/** The part of each range on its own day and the part after midnight. The API stores them by day. */
export const toWeeklyTimeRanges = (ranges: readonly WeekRange[]): WeeklyTimeRanges =>
  Array.from({ length: WEEK_DAYS }, (_, day) => {
    const own = ranges
      .filter(range => range.day === day)
      .map(({ start, length }) => ({ start, end: Math.min(DAY_S, start + length) }));
    const fromDayBefore = ranges
      .filter(range => range.day === dayAfter(day, -1) && range.start + range.length > DAY_S)
      .map(({ start, length }) => ({ start: 0, end: start + length - DAY_S }));
    return { ranges: mergePieces([...own, ...fromDayBefore]) };
  });

/** Joins a range that ends at midnight with one that begins there, unless together they exceed a day. */
export const toWeekRanges = (weekdays: WeeklyTimeRanges): readonly WeekRange[] => {
  const days = weekdays.map(({ ranges }) => mergePieces(ranges));
  const continuationOf = (day: number, { start, end }: Piece): number => {
    const next = days[dayAfter(day)]?.[0];
    if (end !== DAY_S || start === 0 || next?.start !== 0 || next.end === DAY_S) return 0;
    return next.end + DAY_S - start <= DAY_S ? next.end : 0;
  };
  const isContinuation = (day: number, { start, end }: Piece): boolean => {
    const before = days[dayAfter(day, -1)]?.at(-1);
    return start === 0 && before !== undefined && continuationOf(dayAfter(day, -1), before) === end;
  };
  return days.flatMap((pieces, day) =>
    pieces
      .filter(piece => !isContinuation(day, piece))
      .map(piece => ({
        day,
        start: piece.start,
        length: piece.end - piece.start + continuationOf(day, piece),
      })),
  );
};

export type WeekGridDragMode = 'move' | 'start' | 'end';

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** Moves a range or one of its ends by `seconds`; moving may also change the day. */
export const dragWeekRange = (
  { day, start, length }: WeekRange,
  mode: WeekGridDragMode,
  { seconds, days, step }: { readonly seconds: number; readonly days: number; readonly step: number },
): WeekRange => {
  if (mode === 'end') return { day, start, length: clamp(length + seconds, step, DAY_S) };
  if (mode === 'start') {
    const moved = clamp(start + seconds, Math.max(0, start + length - DAY_S), start + length - step);
    const fitting = Math.min(moved, DAY_S - step);
    return { day, start: fitting, length: start + length - fitting };
  }
  return { day: dayAfter(day, days), start: clamp(start + seconds, 0, DAY_S - step), length };
};

/** A range between two times of a day, in either order, of at least one step. */
export const createWeekRangeBetween = (day: number, one: number, other: number, step: number): WeekRange => {
  const start = Math.min(one, other, DAY_S - step);
  return { day, start, length: Math.max(step, Math.max(one, other) - start) };
};

/** Replaces the ranges of the target days with those of one day. */
export const copyDayRanges = (
  ranges: readonly WeekRange[],
  from: number,
  to: readonly number[],
): readonly WeekRange[] => [
  ...ranges.filter(({ day }) => day === from || !to.includes(day)),
  ...to
    .filter(day => day !== from)
    .flatMap(day => ranges.filter(one => one.day === from).map(one => ({ ...one, day }))),
];

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** For an input of the type `time`. Midnight at the end of a day is `00:00`. */
export const formatTimeInputValue = (seconds: number): string => {
  const inDay = seconds % DAY_S;
  const parts = [Math.floor(inDay / HOUR_S), Math.floor(inDay / 60) % 60, inDay % 60];
  return parts
    .slice(0, inDay % 60 === 0 ? 2 : 3)
    .map(twoDigits)
    .join(':');
};

export const parseTimeInputValue = (text: string): number | null => {
  const [, hours, minutes, seconds = '0'] = /^(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * HOUR_S + Number(minutes) * 60 + Number(seconds);
};

/** The range between two wall-clock times; an end at or before the start is on the next day. */
export const createWeekRangeFromTimes = (day: number, start: number, end: number): WeekRange => ({
  day,
  start,
  length: end > start ? end - start : end - start + DAY_S,
});

/** Times of day as the locale writes them: `8:00 PM` or `20:00`; short: `8 PM` or `20:00`, for a narrow place. */
export const createTimeOfDayFormat = (locale: string, { isShort = false } = {}): ((seconds: number) => string) => {
  const create = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  const minutes = create({ timeStyle: 'short' });
  const exact = create({ timeStyle: 'medium' });
  const isTwelveHours = minutes.resolvedOptions().hour12 === true;
  const hours = isShort && isTwelveHours ? create({ hour: 'numeric' }) : minutes;
  return seconds => {
    const format = seconds % 60 !== 0 ? exact : seconds % HOUR_S === 0 ? hours : minutes;
    return format.format((seconds % DAY_S) * 1000);
  };
};

/** `Mon–Fri 08:00–18:00 · Sat 10:00–14:00`; null for a schedule without times. */
export const describeWeekRanges = (ranges: readonly WeekRange[], locale: string): string | null => {
  const names = listWeekdayNames(locale, 'short');
  const formatTime = createTimeOfDayFormat(locale);
  const times = names.map((_, day) =>
    ranges
      .filter(range => range.day === day)
      .toSorted((a, b) => a.start - b.start)
      .map(({ start, length }) => `${formatTime(start)}–${formatTime(start + length)}`)
      .join(', '),
  );
  const parts: string[] = [];
  for (let first = 0; first < times.length; ) {
    let last = first;
    while (times[last + 1] === times[first]) last++;
    const days = first === last ? names[first] : `${names[first]}–${names[last]}`;
    if (times[first] !== '') parts.push(`${days} ${times[first]}`);
    first = last + 1;
  }
  return parts.length === 0 ? null : parts.join(' · ');
};
