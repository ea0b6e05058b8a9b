import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Who reported an event. Null for events of the bridge itself. */
export const eventReportResponseSchema = tolerantObjectSchema({
  event_id: idSchema('event'),
  reported_by: idSchema('device').nullable(),
  /** Its present name. */
  device_name: z.string().nullable(),
});
export type EventReportResponse = z.infer<typeof eventReportResponseSchema>;
