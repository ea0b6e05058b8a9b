import * as z from 'zod';
import { incidentKinds } from '../rest/event-reasons.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

export const incidentResponseSchema = tolerantObjectSchema({
  id: idSchema('incident'),
  organization_id: idSchema('organization'),
  kind: openEnumSchema(incidentKinds),
  /** What happened and what to do. */
  message: z.string(),
  /** The controllers that it concerns. */
  device_ids: z.array(idSchema('device')),
  /** Members, credentials and group associations that stay revoked because controllers had their revocation. */
  revoked_ids: z.array(z.string()),
  created_at: dateTimeSchema,
  updated_at: dateTimeSchema,
  acknowledged_at: dateTimeSchema.nullable(),
  acknowledged_by: idSchema('user').nullable(),
  /** What the clock of the bridge shows, and the time that it expects; null for other kinds, and when it was settled. */
  clock: z.object({ time: dateTimeSchema, expected_time: dateTimeSchema }).nullable(),
});
export type IncidentResponse = z.infer<typeof incidentResponseSchema>;
