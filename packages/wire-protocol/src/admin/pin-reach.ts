import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/**
 * `served`: the PIN is known at the door. `pending`: it is on its way there. `leaving`: the door does not know yet that it is
 * gone; a revocation ahead of the slice may have stopped it all the same.
 */
const door = tolerantObject({
  device_id: idOf('device'),
  site_id: idOf('site'),
  name: z.string(),
  online: z.boolean(),
  status: openEnum(['served', 'pending', 'leaving']),
  /** When the controller last said what it serves. */
  served_at: dateTime.nullable(),
});

/** Which controllers have a PIN. */
export const pinReachAnswer = tolerantObject({
  member_pin_id: idOf('member_pin'),
  member_id: idOf('member'),
  doors: z.array(door),
});
export type PinReachAnswer = z.infer<typeof pinReachAnswer>;
