import { parseTimeOfDayRanges, parseWeeklyTimeRanges } from '@lintel/access-core/schedule';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createdAtSchema, isDeletedSchema } from './common-fields.ts';
import { metadataSchema, metadataCreateSchema, metadataPatchSchema } from './metadata-and-tags.ts';

const START = 'Beginning, in seconds since 00:00 of the local time of the site, 0 to 86400';
const END = 'End, in seconds since 00:00, 0 to 86400. Later than start, and itself not part of the range';
const RANGE = 'A time range of a day';
const WEEKDAY = 'One day of the week';
const RANGES = 'Time ranges of the day, at most 1440, without overlap. Empty: never on this day';
const WEEKDAYS =
  'Exactly 7 days: index 0 is Monday, index 6 is Sunday. Access is possible while the local time of the site is within a range of the day';

export const scheduleRangeSchema = tolerantObjectSchema({
  start: z.int().describe(START),
  end: z.int().describe(END),
}).meta({ title: 'schedule_range', description: RANGE });
const weekday = tolerantObjectSchema({ ranges: z.array(scheduleRangeSchema).describe(RANGES) }).describe(WEEKDAY);

export const scheduleResponseSchema = tolerantObjectSchema({
  id: idSchema('schedule'),
  organization_id: idSchema('organization'),
  name: z.string().describe('Name of the schedule'),
  weekdays: z.array(weekday).describe(WEEKDAYS),
  is_deleted: isDeletedSchema,
  created_at: createdAtSchema,
  metadata: metadataSchema,
}).describe('Weekly time ranges for permission rules and triggers');
export type ScheduleResponse = z.infer<typeof scheduleResponseSchema>;

const second = z.int().min(0).max(86_400);
const rangesShape = z
  .array(
    z
      .strictObject({ start: second.describe(START), end: second.describe(END) })
      .meta({ title: 'schedule_range_input', description: RANGE }),
  )
  .describe(RANGES);
const weekdaysShape = z
  .array(z.strictObject({ ranges: rangesShape }).meta({ title: 'schedule_weekday_input', description: WEEKDAY }))
  .length(7)
  .describe(WEEKDAYS);

export const scheduleRangesInputSchema = schemaFromParser(rangesShape, parseTimeOfDayRanges);

const weekdays = schemaFromParser(weekdaysShape, parseWeeklyTimeRanges);

export const createScheduleRequestSchema = createPostBodySchema({
  name: nameTextSchema().default('').describe('Name of the schedule, at most 200 characters'),
  weekdays,
  metadata: metadataCreateSchema,
});
export type CreateScheduleRequest = z.infer<typeof createScheduleRequestSchema>;

export const editScheduleRequestSchema = z.strictObject({
  name: nameTextSchema().optional().describe('Name of the schedule, at most 200 characters'),
  weekdays: weekdays.optional(),
  metadata: metadataPatchSchema.optional(),
});
export type EditScheduleRequest = z.infer<typeof editScheduleRequestSchema>;
