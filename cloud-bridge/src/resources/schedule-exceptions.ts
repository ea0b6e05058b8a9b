import type { TimeOfDayRange, WeekdayTimeRanges } from '@lintel/access-core/schedule';
import type { SetScheduleExceptionRequest } from '@lintel/wire-protocol/admin/schedule-exception';
import { createInvalidFieldError, createNotFoundError } from '../http/api-error.ts';
import type { ScheduleExceptionRow } from '../storage/schedule-exception-and-device-health-schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { computeScheduleExceptionPeriod, isCalendarDate, computeWeekdayOfDate } from './schedule-exception-period.ts';
import { schedules } from './schedules.ts';

/** Enough for the public holidays of a dozen years. */
const MOST_EXCEPTIONS = 200;

const rowsOf = ({ db }: WriteContext, scheduleId: string): Promise<ScheduleExceptionRow[]> =>
  db.selectFrom('schedule_exceptions').selectAll().where('schedule_id', '=', scheduleId).orderBy('date').execute();

const deleteException = async ({ db }: WriteContext, { schedule_id, date }: ScheduleExceptionRow): Promise<void> => {
  await db.deleteFrom('schedule_exceptions').where('schedule_id', '=', schedule_id).where('date', '=', date).execute();
};

const rangesIn = (week: readonly WeekdayTimeRanges[], { date }: ScheduleExceptionRow): string =>
  JSON.stringify(week[computeWeekdayOfDate(date)]!.ranges.map(({ start, end }): TimeOfDayRange => ({ start, end })));

/**
 * Writes the times of exceptions into the week of the schedule, and the usual times when they are over or `isEnded`. Times that
 * were edited meanwhile stay. Returns whether the week has changed.
 */
const reconcileExceptions = async (
  context: WriteContext,
  scheduleId: string,
  isEnded: (exception: ScheduleExceptionRow) => boolean,
): Promise<boolean> => {
  const schedule = await schedules.requireActive(context, scheduleId);
  const week = JSON.parse(schedule.weekdays) as WeekdayTimeRanges[];
  const setDay = (row: ScheduleExceptionRow, json: string): void => {
    week[computeWeekdayOfDate(row.date)] = { ranges: JSON.parse(json) as TimeOfDayRange[] };
  };
  const rows = await rowsOf(context, scheduleId);
  const ended = rows.filter(row => isEnded(row) || context.now >= computeScheduleExceptionPeriod(row.date).until);
  for (const row of ended) {
    if (row.replaced_ranges !== null && rangesIn(week, row) === row.ranges) setDay(row, row.replaced_ranges);
    await deleteException(context, row);
  }
  const begun = rows.filter(
    row =>
      !ended.includes(row) &&
      row.replaced_ranges === null &&
      context.now >= computeScheduleExceptionPeriod(row.date).from,
  );
  for (const row of begun) {
    await context.db
      .updateTable('schedule_exceptions')
      .set({ replaced_ranges: rangesIn(week, row) })
      .where('schedule_id', '=', scheduleId)
      .where('date', '=', row.date)
      .execute();
    setDay(row, row.ranges);
  }
  return (await schedules.edit(context, schedule, {}, { weekdays: JSON.stringify(week) })) !== schedule;
};

/** Applies the exceptions whose period has begun, and ends those whose period is over. */
export const reconcileScheduleExceptions = async (context: WriteContext, scheduleId: string): Promise<void> => {
  await reconcileExceptions(context, scheduleId, () => false);
};

export const removeExceptionsOfDeletedSchedule = async ({ db }: WriteContext, scheduleId: string): Promise<void> => {
  await db.deleteFrom('schedule_exceptions').where('schedule_id', '=', scheduleId).execute();
};

const requireUsableDate = (context: WriteContext, date: string): void => {
  if (!isCalendarDate(date)) throw createInvalidFieldError('date', 'must be a date such as 2026-12-25');
  if (context.now >= computeScheduleExceptionPeriod(date).until)
    throw createInvalidFieldError('date', `must not be over: ${date} is in the past`);
};

interface ExceptionChange {
  readonly date: string;
  readonly name: string;
  readonly ranges: readonly TimeOfDayRange[];
}

const toChange = ({ date, name, ranges }: ScheduleExceptionRow): ExceptionChange => ({
  date,
  name,
  ranges: JSON.parse(ranges) as TimeOfDayRange[],
});

const logEdit = (
  context: WriteContext,
  scheduleId: string,
  before: ScheduleExceptionRow | undefined,
  after: ScheduleExceptionRow | undefined,
): void =>
  context.log({
    verb: 'edit',
    object: { type: 'schedule', schedule_id: scheduleId },
    changes: {
      exception: [before === undefined ? null : toChange(before), after === undefined ? null : toChange(after)],
    },
  });

/** Sets the times of one date. Replaces an exception of the same date. */
export const setScheduleException = async (
  context: WriteContext,
  scheduleId: string,
  date: string,
  { name, ranges }: SetScheduleExceptionRequest,
): Promise<ScheduleExceptionRow> => {
  await schedules.requireActive(context, scheduleId);
  requireUsableDate(context, date);
  const rows = await rowsOf(context, scheduleId);
  const others = rows.filter(row => row.date !== date);
  if (others.length >= MOST_EXCEPTIONS)
    throw createInvalidFieldError('date', `is one too many: a schedule has at most ${MOST_EXCEPTIONS} exceptions`);
  await reconcileExceptions(context, scheduleId, row => row.date === date);
  const ownColumns = { schedule_id: scheduleId, date, organization_id: context.organizationId, name };
  await context.db
    .insertInto('schedule_exceptions')
    .values({ ...ownColumns, ranges: JSON.stringify(ranges), replaced_ranges: null })
    .execute();
  await reconcileExceptions(context, scheduleId, () => false);
  const set = (await rowsOf(context, scheduleId)).find(row => row.date === date)!;
  const before = rows.find(row => row.date === date);
  logEdit(context, scheduleId, before, set);
  return set;
};

/** Restores the usual times at once if the exception is applied. */
export const deleteScheduleException = async (
  context: WriteContext,
  scheduleId: string,
  date: string,
): Promise<ScheduleExceptionRow> => {
  await schedules.requireActive(context, scheduleId);
  const row = (await rowsOf(context, scheduleId)).find(one => one.date === date);
  if (row === undefined) throw createNotFoundError('schedule_exception', date);
  await reconcileExceptions(context, scheduleId, one => one.date === date);
  logEdit(context, scheduleId, row, undefined);
  return { ...row, replaced_ranges: null };
};
