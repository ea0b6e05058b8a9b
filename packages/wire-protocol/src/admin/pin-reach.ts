import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/**
 * `served`: the controller has the PIN. `pending`: not synced yet. `leaving`: the deletion is not synced yet; a
 * revocation may already block it.
 */
const door = tolerantObjectSchema({
  device_id: idSchema('device'),
  site_id: idSchema('site'),
  name: z.string(),
  online: z.boolean(),
  status: openEnumSchema(['served', 'pending', 'leaving']),
  /** When the controller last reported its snapshot. */
  served_at: dateTimeSchema.nullable(),
});

/** Which controllers have a PIN. */
export const pinReachResponse = tolerantObjectSchema({
  member_pin_id: idSchema('member_pin'),
  member_id: idSchema('member'),
  doors: z.array(door),
});
export type PinReachResponse = z.infer<typeof pinReachResponse>;
