import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** A controller that waits for a confirmation. `is_replacement`: the present controller of the device works until then. */
export const waitingControllerSchema = tolerantObjectSchema({
  hardware_id: idSchema('hardware').nullable(),
  /** SHA-256 of the controller's key, in hex. */
  fingerprint: z.string(),
  since: dateTimeSchema,
  /** A user or an application; null if unknown. */
  claimed_by: z.string().nullable(),
  is_replacement: z.boolean(),
});
export type WaitingControllerResponse = z.infer<typeof waitingControllerSchema>;

/** With a fingerprint, fails if another controller waits by now. */
export const decideOnControllerRequestSchema = z.strictObject({
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: 'must be 64 hexadecimal digits' })
    .optional(),
});

/**
 * The connection of a claimed device. `seen_at` is when it connected last; `offline_since` is null while it is online. `served_revision` is what it has confirmed, `current_revision` that of the
 * organization. All but the last are null for a device that has never connected.
 */
export const deviceConnectionResponseSchema = tolerantObjectSchema({
  device_id: idSchema('device'),
  firmware: z.string().nullable(),
  seen_at: dateTimeSchema.nullable(),
  offline_since: dateTimeSchema.nullable(),
  gateway_id: idSchema('device').nullable(),
  served_revision: z.int().nullable(),
  served_at: dateTimeSchema.nullable(),
  current_revision: z.int(),
  /** The controllers that wait for a confirmation at this device. */
  waiting: z.array(waitingControllerSchema),
});
export type DeviceConnectionResponse = z.infer<typeof deviceConnectionResponseSchema>;
