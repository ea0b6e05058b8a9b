import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/**
 * `served`: the controller has the credential and every later change of its member. `pending`: not synced yet.
 * `leaving`: the deletion is not synced yet; a revocation may already block it. `removed`: the deletion is synced.
 */
const controller = tolerantObjectSchema({
  device_id: idSchema('device'),
  site_id: idSchema('site'),
  name: z.string(),
  online: z.boolean(),
  status: openEnumSchema(['served', 'pending', 'leaving', 'removed']),
  /** The revision that the controller has confirmed; null before the first one. */
  served_revision: z.int().nullable(),
  /** When the controller last reported its snapshot. */
  served_at: dateTimeSchema.nullable(),
});

/** Which controllers have a PIN. */
export const pinDeliveryResponseSchema = tolerantObjectSchema({
  member_pin_id: idSchema('member_pin'),
  member_id: idSchema('member'),
  doors: z.array(controller),
});
export type PinDeliveryResponse = z.infer<typeof pinDeliveryResponseSchema>;

/**
 * What a member has lost within a day, and every door that still opens. `locked_out`: each controller of the door has
 * confirmed it. `still_opens`: a controller has not; a revocation may already block it.
 */
const memberLockout = tolerantObjectSchema({
  /** Whether the member can still open other doors. */
  opens_other_doors: z.boolean(),
  doors: z.array(
    tolerantObjectSchema({
      gadget_id: idSchema('gadget'),
      site_id: idSchema('site'),
      name: z.string(),
      status: openEnumSchema(['locked_out', 'still_opens']),
      /** Null for a door that still opens. */
      locked_out_at: dateTimeSchema.nullable(),
      /** False if a controller that has not confirmed is offline. */
      online: z.boolean(),
      offline_since: dateTimeSchema.nullable(),
    }).meta({ title: 'member_lockout_door' }),
  ),
}).meta({ title: 'member_lockout' });
export type MemberLockout = z.infer<typeof memberLockout>;

/**
 * Which controllers have the credentials of a member. `revision` is the one that a controller has to confirm. Emails and
 * magic links are absent, because the bridge checks them itself. Deleted credentials stay listed for about 30 days.
 */
export const memberCredentialDeliveryResponseSchema = tolerantObjectSchema({
  member_id: idSchema('member'),
  credentials: z.array(
    tolerantObjectSchema({
      type: openEnumSchema(['member_pin', 'member_card', 'member_token']),
      id: z.string(),
      /** Name, printed code or UID of a card; null for the other types. */
      name: z.string().nullable(),
      is_deleted: z.boolean(),
      deleted_at: dateTimeSchema.nullable(),
      revision: z.int(),
      controllers: z.array(controller),
    }),
  ),
  /** Null if no access was taken away within a day and no door still opens. */
  lockout: memberLockout.nullable(),
});
export type MemberCredentialDeliveryResponse = z.infer<typeof memberCredentialDeliveryResponseSchema>;
