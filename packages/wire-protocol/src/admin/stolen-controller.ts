import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `POST …/devices/{device_id}/report_stolen`. */
export const reportStolenControllerRequestSchema = z.strictObject({
  /** Lists who is affected and changes nothing. */
  dry_run: z.boolean().default(false),
});

/** A member whose credentials a stolen controller has. */
const affectedMember = tolerantObjectSchema({
  member_id: idSchema('member'),
  name: z.string(),
  /** Where new PINs can be sent; null if the member has no address. */
  email: tolerantObjectSchema({ id: idSchema('member_email'), email: z.string() }).nullable(),
  /** The PINs that were replaced, or that would be: then `new_id` and `pin` are null. */
  pins: z.array(
    tolerantObjectSchema({
      id: idSchema('member_pin'),
      length: z.int(),
      new_id: idSchema('member_pin').nullable(),
      pin: z.string().nullable(),
    }),
  ),
  /** Cards whose UID the controller recognizes. They have to be exchanged. */
  cards: z.array(
    tolerantObjectSchema({
      id: idSchema('member_card'),
      card_id: idSchema('card'),
      name: z.string().nullable(),
      printed_code: z.string().nullable(),
      uid: z.string(),
    }),
  ),
});
export type AffectedMember = z.infer<typeof affectedMember>;

export const stolenControllerResponseSchema = tolerantObjectSchema({
  device_id: idSchema('device'),
  dry_run: z.boolean(),
  pin_count: z.int(),
  card_count: z.int(),
  /** By name. */
  members: z.array(affectedMember),
});
export type StolenControllerResponse = z.infer<typeof stolenControllerResponseSchema>;
