import * as z from 'zod';
import { incidentKinds } from '../rest/event-reasons.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

export const incidentResponseSchema = tolerantObjectSchema({
  id: idSchema('incident'),
  organization_id: idSchema('organization'),
  kind: openEnumSchema(incidentKinds).describe('What happened'),
  message: z.string().describe('What happened and what to do'),
  device_ids: z.array(idSchema('device')).describe('Ids of the controllers that it concerns'),
  revoked_ids: z
    .array(z.string())
    .describe(
      'Ids of members, credentials and group associations that stay revoked because controllers had their revocation',
    ),
  created_at: dateTimeSchema.describe('Time of creation, ISO 8601 in UTC'),
  updated_at: dateTimeSchema.describe('Time of the last change, ISO 8601 in UTC'),
  acknowledged_at: dateTimeSchema
    .nullable()
    .describe('When somebody acknowledged it, ISO 8601 in UTC. Null if nobody has'),
  acknowledged_by: idSchema('user').nullable().describe('Id of the user who acknowledged it. Null if nobody has'),
  clock: z
    .object({
      time: dateTimeSchema.describe('What the clock of the bridge shows, ISO 8601 in UTC'),
      expected_time: dateTimeSchema.describe('The time that the bridge expects, ISO 8601 in UTC'),
    })
    .nullable()
    .describe('The clock of the bridge. Null for other kinds, and when it was settled'),
}).describe('Something about the data of the bridge that an administrator has to know');
export type IncidentResponse = z.infer<typeof incidentResponseSchema>;
