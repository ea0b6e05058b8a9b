import * as z from 'zod';
import { scheduleRangeSchema, scheduleRangesInputSchema } from '../rest/schedule.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/**
 * The times of a schedule on one date, such as a holiday. They replace the times of that weekday in the schedule from
 * `applies_from` to `applies_until`, a period in which the weekday occurs only on this date, in every time zone.
 */
export const scheduleExceptionResponseSchema = tolerantObjectSchema({
  schedule_id: idSchema('schedule'),
  /** `2026-12-25`, in the time zone of each site. */
  date: z.string(),
  name: z.string(),
  /** Empty: closed. */
  ranges: z.array(scheduleRangeSchema),
  applies_from: dateTimeSchema,
  applies_until: dateTimeSchema,
  /** The schedule has these times at present. */
  is_applied: z.boolean(),
  /** The times of the weekday outside this exception; null unless it is applied. */
  replaced_ranges: z.array(scheduleRangeSchema).nullable(),
});
export type ScheduleExceptionResponse = z.infer<typeof scheduleExceptionResponseSchema>;

export const scheduleExceptionsResponseSchema = tolerantObjectSchema({
  items: z.array(scheduleExceptionResponseSchema),
});
export type ScheduleExceptionsResponse = z.infer<typeof scheduleExceptionsResponseSchema>;

export const setScheduleExceptionRequestSchema = z.strictObject({
  name: nameTextSchema().default(''),
  /** At most until midnight: the night after it belongs to the next date. */
  ranges: scheduleRangesInputSchema,
});
export type SetScheduleExceptionRequest = z.infer<typeof setScheduleExceptionRequestSchema>;
