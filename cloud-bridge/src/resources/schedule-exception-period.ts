import { DAY_MS } from '@lintel/access-core/durations';
import { type Instant, instant } from '@lintel/access-core/instant';

const NOON_MS = DAY_MS / 2;

const midnightUtc = (date: string): number => Date.parse(`${date}T00:00:00.000Z`);

/** Only dates that exist: `2026-02-30` is none. */
export const isCalendarDate = (text: string): boolean => {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? midnightUtc(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

/** Monday is 0. */
export const computeWeekdayOfDate = (date: string): number => (new Date(midnightUtc(date)).getUTCDay() + 6) % 7;

export interface WeeklyScheduleOverridePeriod {
  readonly from: Instant;
  readonly until: Instant;
}

/**
 * The period in which a weekly schedule can have the times of a single date: the same weekday of the week before is over in
 * the last time zone (UTC−12), and that of the week after has not begun in the first one (UTC+14).
 */
export const computeScheduleExceptionPeriod = (date: string): WeeklyScheduleOverridePeriod => ({
  from: instant(midnightUtc(date) - 6 * DAY_MS + NOON_MS),
  until: instant(midnightUtc(date) + DAY_MS + NOON_MS),
});

/** The dates whose period may have begun or ended by then are at most this one. */
export const computeLastDateWithBegunPeriod = (now: Instant): string =>
  new Date(now + 6 * DAY_MS - NOON_MS).toISOString().slice(0, 10);
