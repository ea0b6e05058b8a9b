import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Who reported an event. Null for events of the bridge itself. */
export const eventReportResponseSchema = tolerantObjectSchema({
  event_id: idSchema('event'),
  reported_by: idSchema('device')
    .nullable()
    .describe('Id of the device that reported the event. Null for events of the bridge itself'),
  device_name: z.string().nullable().describe('Present name of that device. Null for events of the bridge itself'),
}).describe('Who reported an event');
export type EventReportResponse = z.infer<typeof eventReportResponseSchema>;
