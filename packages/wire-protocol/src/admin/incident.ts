import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/**
 * `bridge_behind`: controllers know more than the bridge, because its database was restored or has lost data.
 * `controller_ahead`: a controller reports data that the bridge never sent, too often or too much of it.
 * `device_event_flood`: a controller sends more events than happen at its doors.
 * `rules_refused`: a controller reports input rules without proof that a technician may set them.
 */
export const incidentKinds = ['bridge_behind', 'controller_ahead', 'device_event_flood', 'rules_refused'] as const;

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
});
export type IncidentResponse = z.infer<typeof incidentResponseSchema>;
