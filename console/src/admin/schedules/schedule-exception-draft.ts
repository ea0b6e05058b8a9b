import { DAY_MS } from '@lintel/access-core/durations';
import type { TimeOfDayRange } from '@lintel/access-core/schedule';
import { DAY_S, toWeeklyTimeRanges, type WeekRange } from './week-ranges.ts';

export interface ScheduleExceptionDraft {
  /** `2026-12-25`, empty until it is entered. */
  readonly firstDate: string;
  /** Empty: one day only. */
  readonly lastDate: string;
  readonly name: string;
  readonly isClosed: boolean;
  /** Of day 0. */
  readonly ranges: readonly WeekRange[];
}

export type ScheduleExceptionDraftProblem = 'over' | 'order' | 'tooLong' | 'night' | 'noTimes';

const MOST_DAYS = 31;

/** All dates from the first to the last one. */
export const listScheduleExceptionDates = ({ firstDate, lastDate }: ScheduleExceptionDraft): readonly string[] => {
  const first = Date.parse(firstDate);
  const last = lastDate === '' ? first : Date.parse(lastDate);
  const count = Math.floor((last - first) / DAY_MS) + 1;
  if (!(count > 0)) return [];
  return Array.from({ length: count }, (_, index) => new Date(first + index * DAY_MS).toISOString().slice(0, 10));
};

/** Why a schedule cannot express the exception; null if it can. */
export const findScheduleExceptionProblem = (
  draft: ScheduleExceptionDraft,
  today: string,
): ScheduleExceptionDraftProblem | null => {
  const { firstDate, lastDate, isClosed, ranges } = draft;
  if (firstDate !== '' && firstDate < today) return 'over';
  if (lastDate !== '' && lastDate < firstDate) return 'order';
  if (listScheduleExceptionDates(draft).length > MOST_DAYS) return 'tooLong';
  if (isClosed) return null;
  if (ranges.length === 0) return 'noTimes';
  return ranges.some(({ start, length }) => start + length > DAY_S) ? 'night' : null;
};

/** The times for the API, sorted and merged. Empty: closed. */
export const toScheduleExceptionRanges = ({ isClosed, ranges }: ScheduleExceptionDraft): readonly TimeOfDayRange[] =>
  isClosed ? [] : toWeeklyTimeRanges(ranges)[0]!.ranges;
