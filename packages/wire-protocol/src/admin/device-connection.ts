import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** A controller that waits for a confirmation. `is_replacement`: the present controller of the device works until then. */
export const waitingControllerSchema = tolerantObjectSchema({
  hardware_id: idSchema('hardware').nullable().describe('Serial number of the controller. Null if not known'),
  fingerprint: z.string().describe('SHA-256 of the key of the controller, in hexadecimal'),
  since: dateTimeSchema.describe('Since when it waits, ISO 8601 in UTC'),
  claimed_by: z.string().nullable().describe('User or application that claimed it. Null if not known'),
  is_replacement: z
    .boolean()
    .describe('Whether it replaces the present controller of the device, which works until the confirmation'),
}).describe('A controller that waits for a confirmation');
export type WaitingControllerResponse = z.infer<typeof waitingControllerSchema>;

/** With a fingerprint, fails if another controller waits by now. */
export const decideOnControllerRequestSchema = z.strictObject({
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: 'must be 64 hexadecimal digits' })
    .optional()
    .describe(
      'Fingerprint of the controller that you mean, 64 hexadecimal digits. The request fails if another one waits by now',
    ),
});

/**
 * The connection of a claimed device. `seen_at` is when it connected last; `offline_since` is null while it is online. `served_revision` is what it has confirmed, `current_revision` that of the
 * organization. All but the last are null for a device that has never connected.
 */
export const deviceConnectionResponseSchema = tolerantObjectSchema({
  device_id: idSchema('device'),
  firmware: z.string().nullable().describe('Version of the firmware. Null before the first connection'),
  seen_at: dateTimeSchema
    .nullable()
    .describe('When it last connected, ISO 8601 in UTC. Null before the first connection'),
  offline_since: dateTimeSchema
    .nullable()
    .describe('Since when it is offline, ISO 8601 in UTC. Null while it is online'),
  gateway_id: idSchema('device')
    .nullable()
    .describe('Id of the gateway through which it is connected. Null if there is none'),
  served_revision: z.int().nullable().describe('Revision that the controller has confirmed. Null before the first one'),
  served_at: dateTimeSchema
    .nullable()
    .describe('When the controller last reported its snapshot, ISO 8601 in UTC. Null before the first one'),
  current_revision: z.int().describe('Revision of the organization'),
  waiting: z.array(waitingControllerSchema).describe('Controllers that wait for a confirmation at this device'),
}).describe('The connection of a claimed device');
export type DeviceConnectionResponse = z.infer<typeof deviceConnectionResponseSchema>;
