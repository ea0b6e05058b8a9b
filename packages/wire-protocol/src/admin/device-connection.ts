import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/**
 * The connection of a claimed device. `served_revision` is what it has confirmed, `current_revision` that of the
 * organization. All but the last are null for a device that has never connected.
 */
export const deviceConnectionResponseSchema = tolerantObjectSchema({
  device_id: idSchema('device'),
  firmware: z.string().nullable(),
  seen_at: dateTimeSchema.nullable(),
  gateway_id: idSchema('device').nullable(),
  served_revision: z.int().nullable(),
  served_at: dateTimeSchema.nullable(),
  current_revision: z.int(),
});
export type DeviceConnectionResponse = z.infer<typeof deviceConnectionResponseSchema>;
