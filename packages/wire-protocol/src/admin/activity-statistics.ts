import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Openings and denials: `buckets` without gaps in the order of time, `gadgets` from the busiest. */
export const activityStatisticsResponseSchema = tolerantObjectSchema({
  from: dateTimeSchema,
  to: dateTimeSchema,
  bucket: openEnumSchema(['hour', 'day']).meta({ title: 'activity_bucket_size' }),
  timezone: z.string(),
  openings: z.int(),
  denials: z.int(),
  buckets: z.array(tolerantObjectSchema({ starts_at: dateTimeSchema, openings: z.int(), denials: z.int() })),
  gadgets: z.array(
    tolerantObjectSchema({ gadget_id: idSchema('gadget'), name: z.string(), openings: z.int(), denials: z.int() }),
  ),
});
export type ActivityStatisticsResponse = z.infer<typeof activityStatisticsResponseSchema>;
