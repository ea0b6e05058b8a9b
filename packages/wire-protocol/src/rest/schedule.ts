import { parseTimeOfDayRanges, parseWeeklyTimeRanges } from '@lintel/access-core/schedule';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { metadataSchema, metadataCreateSchema, metadataPatchSchema } from './metadata-and-tags.ts';

export const scheduleRangeSchema = tolerantObjectSchema({ start: z.int(), end: z.int() }).meta({
  title: 'schedule_range',
});
const weekday = tolerantObjectSchema({ ranges: z.array(scheduleRangeSchema) });

export const scheduleResponseSchema = tolerantObjectSchema({
  id: idSchema('schedule'),
  organization_id: idSchema('organization'),
  name: z.string(),
  weekdays: z.array(weekday),
  is_deleted: z.boolean(),
  created_at: dateTimeSchema,
  metadata: metadataSchema,
});
export type ScheduleResponse = z.infer<typeof scheduleResponseSchema>;

const second = z.int().min(0).max(86_400);
const rangesShape = z.array(z.strictObject({ start: second, end: second }).meta({ title: 'schedule_range_input' }));
const weekdaysShape = z
  .array(z.strictObject({ ranges: rangesShape }).meta({ title: 'schedule_weekday_input' }))
  .length(7);

export const scheduleRangesInputSchema = schemaFromParser(rangesShape, parseTimeOfDayRanges);

const weekdays = schemaFromParser(weekdaysShape, parseWeeklyTimeRanges);

export const createScheduleRequestSchema = createPostBodySchema({
  name: nameTextSchema().default(''),
  weekdays,
  metadata: metadataCreateSchema,
});
export type CreateScheduleRequest = z.infer<typeof createScheduleRequestSchema>;

export const editScheduleRequestSchema = z.strictObject({
  name: nameTextSchema().optional(),
  weekdays: weekdays.optional(),
  metadata: metadataPatchSchema.optional(),
});
export type EditScheduleRequest = z.infer<typeof editScheduleRequestSchema>;
