import { parseWeekdays } from '@lintel/access-core/schedule';
import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { fromParser } from '../schema-parts/from-parser.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { nameText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { metadata, metadataCreate, metadataPatch } from './metadata.ts';

const range = tolerantObject({ start: z.int(), end: z.int() });
const weekday = tolerantObject({ ranges: z.array(range) });

export const scheduleAnswer = tolerantObject({
  id: idOf('schedule'),
  organization_id: idOf('organization'),
  name: z.string(),
  weekdays: z.array(weekday),
  is_deleted: z.boolean(),
  created_at: dateTime,
  metadata,
});
export type ScheduleAnswer = z.infer<typeof scheduleAnswer>;

const second = z.int().min(0).max(86_400);
const weekdaysShape = z
  .array(z.strictObject({ ranges: z.array(z.strictObject({ start: second, end: second })) }))
  .length(7);

const weekdays = fromParser(weekdaysShape, parseWeekdays);

export const scheduleCreate = z.strictObject({ name: nameText().default(''), weekdays, metadata: metadataCreate });
export type ScheduleCreate = z.infer<typeof scheduleCreate>;

export const scheduleEdit = z.strictObject({
  name: nameText().optional(),
  weekdays: weekdays.optional(),
  metadata: metadataPatch.optional(),
});
export type ScheduleEdit = z.infer<typeof scheduleEdit>;
