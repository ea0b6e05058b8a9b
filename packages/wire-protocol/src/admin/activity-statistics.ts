import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Openings and denials: `buckets` without gaps in the order of time, `gadgets` from the busiest. */
export const activityStatisticsResponseSchema = tolerantObjectSchema({
  from: dateTimeSchema.describe('Beginning of the period, ISO 8601 in UTC'),
  to: dateTimeSchema.describe('End of the period, ISO 8601 in UTC'),
  bucket: openEnumSchema(['hour', 'day']).meta({ title: 'activity_bucket_size', description: 'Length of a bucket' }),
  timezone: z.string().describe('Time zone of the buckets, an IANA name'),
  openings: z.int().describe('Number of openings'),
  denials: z.int().describe('Number of denials'),
  buckets: z
    .array(
      tolerantObjectSchema({
        starts_at: dateTimeSchema.describe('Beginning of the bucket, ISO 8601 in UTC'),
        openings: z.int().describe('Openings in the bucket'),
        denials: z.int().describe('Denials in the bucket'),
      }).describe('An hour or a day'),
    )
    .describe('Numbers by time, without gaps, oldest first'),
  gadgets: z
    .array(
      tolerantObjectSchema({
        gadget_id: idSchema('gadget'),
        name: z.string().describe('Name of the gadget'),
        openings: z.int().describe('Openings of the gadget'),
        denials: z.int().describe('Denials at the gadget'),
      }).describe('Numbers of a gadget'),
    )
    .describe('Numbers by gadget, busiest first'),
}).describe('Openings and denials in a period');
export type ActivityStatisticsResponse = z.infer<typeof activityStatisticsResponseSchema>;
