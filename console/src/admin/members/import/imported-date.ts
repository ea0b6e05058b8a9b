import { formatDateTimeLocalValue, parseDateTimeLocalValue } from '../../time/date-time-local-value.ts';

/** Which number of `03/04/2026` is the day. */
export type DateOrder = 'day-first' | 'month-first';

const TIME = String.raw`(?:[T ,]+(\d{1,2})(?:[:.](\d\d))?(?::\d\d(?:\.\d+)?)?\s*([ap]\.?\s?m\.?|Uhr|h)?\s*(Z|[+-]\d\d:?\d\d)?)?$`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${TIME}`, 'i');
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)${TIME}`, 'i');

/** Only a point is used for days first everywhere. */
const slashDate = (text: string): readonly [number, number] | null => {
  const [, first, separator, second] = YEAR_LAST.exec(text.trim()) ?? [];
  return first === undefined || separator === '.' ? null : [Number(first), Number(second)];
};

/** What the dates of a file say about their order; `unknown` if each of them is a day in both orders. */
export const findDateOrder = (texts: readonly string[]): DateOrder | 'unknown' | null => {
  const dates = texts.map(slashDate).filter(date => date !== null);
  if (dates.length === 0) return null;
  if (dates.some(([first]) => first > 12)) return 'day-first';
  if (dates.some(([, second]) => second > 12)) return 'month-first';
  return dates.every(([first, second]) => first === second) ? null : 'unknown';
};

export const dateOrderOf = (locale: string): DateOrder => {
  const parts = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type);
  return parts.indexOf('month') < parts.indexOf('day') ? 'month-first' : 'day-first';
};

const hourOf = (hour: number, half: string | undefined): number => {
  const isHalf = half !== undefined && /^[ap]/i.test(half);
  if (!isHalf) return hour;
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
};

const two = (value: number | string): string => String(value).padStart(2, '0');

interface DateContext {
  /** Times without an offset are those of the site. */
  readonly zone: string;
  readonly order: DateOrder;
  /** Of a date without a time. */
  readonly hour: number;
}

/** Null for an empty text, undefined if the text is not a date. */
export const parseImportedDate = (written: string, { zone, order, hour }: DateContext): string | null | undefined => {
  const text = written.trim();
  if (text === '') return null;
  const yearFirst = YEAR_FIRST.exec(text);
  const match = yearFirst ?? YEAR_LAST.exec(text);
  if (match === null) return undefined;
  const [, a, separator, b, c, hours, minutes = '00', half, offset] = match as unknown as string[];
  const isDayFirst = separator === '.' || order === 'day-first';
  const [year, month, day] =
    yearFirst !== null ? [a, b, c] : [c!.length === 2 ? `20${c}` : c, ...(isDayFirst ? [b, a] : [a, b])];
  const atHour = hours === undefined ? hour : hourOf(Number(hours), half);
  if (!(atHour < 24) || Number(minutes) > 59) return undefined;
  const wall = `${year}-${two(month!)}-${two(day!)}T${two(atHour)}:${minutes}`;
  // A 31 February would become a day of March.
  const utc = parseDateTimeLocalValue(wall, 'UTC');
  if (utc === null || formatDateTimeLocalValue(utc, 'UTC') !== wall) return undefined;
  if (offset === undefined) return parseDateTimeLocalValue(wall, zone) ?? undefined;
  const seconds = /:\d\d(:\d\d(?:\.\d+)?)/.exec(text.slice(10))?.[1] ?? '';
  const at = Date.parse(`${wall}${seconds}${offset.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};
