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
  date: z.string().describe('Date such as 2026-12-25, in the time zone of each site'),
  name: z.string().describe('Name of the exception'),
  ranges: z.array(scheduleRangeSchema).describe('Times of the schedule on the date. Empty: closed'),
  applies_from: dateTimeSchema.describe('Since when the schedule has these times, ISO 8601 in UTC'),
  applies_until: dateTimeSchema.describe('Until when the schedule has these times, ISO 8601 in UTC'),
  is_applied: z.boolean().describe('Whether the schedule has these times at present'),
  replaced_ranges: z
    .array(scheduleRangeSchema)
    .nullable()
    .describe('Times of the weekday without the exception. Null unless it is applied'),
}).describe('Times of a schedule on one date, such as a holiday');
export type ScheduleExceptionResponse = z.infer<typeof scheduleExceptionResponseSchema>;

export const scheduleExceptionsResponseSchema = tolerantObjectSchema({
  items: z.array(scheduleExceptionResponseSchema).describe('Exceptions'),
}).describe('Exceptions of a schedule');
export type ScheduleExceptionsResponse = z.infer<typeof scheduleExceptionsResponseSchema>;

export const setScheduleExceptionRequestSchema = z.strictObject({
  name: nameTextSchema().default('').describe('Name of the exception, at most 200 characters'),
  /** At most until midnight: the night after it belongs to the next date. */
  ranges: scheduleRangesInputSchema.describe(
    'Times of the schedule on the date, at most until midnight. Empty: closed',
  ),
});
export type SetScheduleExceptionRequest = z.infer<typeof setScheduleExceptionRequestSchema>;
