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
});
export type MemberCredentialDeliveryResponse = z.infer<typeof memberCredentialDeliveryResponseSchema>;
