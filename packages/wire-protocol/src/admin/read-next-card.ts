import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `POST …/devices/{device_id}/enroll_card`. */
export const createCardEnrollmentRequestSchema = z.strictObject({
  /** Name of the reader in the hardware profile; default: any reader of the controller. */
  reader: z.string().min(1).max(64).nullish(),
});

export const readNextCardResponseSchema = tolerantObjectSchema({
  /** `random_uid`: the card or phone shows another UID at each tap. `no_card`: nothing was presented in time. */
  outcome: openEnumSchema(['card', 'phone', 'magic_link', 'random_uid', 'no_card']),
  reader: z.string().nullable(),
  uid: z.string().nullable(),
  /** The card of the organization with this UID. */
  card_id: idSchema('card').nullable(),
});
export type ReadNextCardResponse = z.infer<typeof readNextCardResponseSchema>;
