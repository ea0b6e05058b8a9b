import { parseWeekdays } from '@lintel/access-core/schedule';
import * as z from 'zod';
import { createObject } from '../schema-parts/create-object.ts';
import { dateTime } from '../schema-parts/date-time.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { metadata, metadataCreate, metadataPatch } from './metadata.ts';

const range = tolerantObject({ start: z.int(), end: z.int() });
const weekday = tolerantObject({ ranges: z.array(range) });

export const scheduleResponse = tolerantObject({
  id: idSchema('schedule'),
  organization_id: idSchema('organization'),
  name: z.string(),
  weekdays: z.array(weekday),
  is_deleted: z.boolean(),
  created_at: dateTime,
  metadata,
});
export type ScheduleResponse = z.infer<typeof scheduleResponse>;

const second = z.int().min(0).max(86_400);
const weekdaysShape = z
  .array(z.strictObject({ ranges: z.array(z.strictObject({ start: second, end: second })) }))
  .length(7);

const weekdays = schemaFromParser(weekdaysShape, parseWeekdays);

export const scheduleCreate = createObject({ name: nameText().default(''), weekdays, metadata: metadataCreate });
export type ScheduleCreate = z.infer<typeof scheduleCreate>;

export const scheduleEdit = z.strictObject({
  name: nameText().optional(),
  weekdays: weekdays.optional(),
  metadata: metadataPatch.optional(),
});
export type ScheduleEdit = z.infer<typeof scheduleEdit>;
