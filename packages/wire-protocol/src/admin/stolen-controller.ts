import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `POST …/devices/{device_id}/report_stolen`. */
export const reportStolenControllerRequestSchema = z.strictObject({
  dry_run: z.boolean().default(false).describe('true lists who is affected and changes nothing'),
});

/** A member whose credentials a stolen controller has. */
const affectedMember = tolerantObjectSchema({
  member_id: idSchema('member'),
  name: z.string().describe('Name of the member'),
  email: tolerantObjectSchema({
    id: idSchema('member_email'),
    email: z.string().describe('Email address'),
  })
    .nullable()
    .describe('Where new PINs can be sent. Null if the member has no address'),
  pins: z
    .array(
      tolerantObjectSchema({
        id: idSchema('member_pin'),
        length: z.int().describe('Number of digits'),
        new_id: idSchema('member_pin').nullable().describe('Id of the PIN that replaces it. Null for a dry run'),
        pin: z.string().nullable().describe('Digits of the new PIN. Shown once. Null for a dry run'),
      }).describe('A PIN that the controller has'),
    )
    .describe('PINs that were replaced, or would be'),
  cards: z
    .array(
      tolerantObjectSchema({
        id: idSchema('member_card'),
        card_id: idSchema('card'),
        name: z.string().nullable().describe('Name of the card. Null if it has none'),
        printed_code: z.string().nullable().describe('Code printed on the card. Null if not known'),
        uid: z.string().describe('ISO 14443 UID in hexadecimal'),
      }).describe('A card that the controller recognizes'),
    )
    .describe('Cards that the controller recognizes. They have to be exchanged'),
}).describe('A member whose credentials a stolen controller has');
export type AffectedMember = z.infer<typeof affectedMember>;

export const stolenControllerResponseSchema = tolerantObjectSchema({
  device_id: idSchema('device'),
  dry_run: z.boolean().describe('Whether nothing was changed'),
  pin_count: z.int().describe('Number of PINs that the controller has'),
  card_count: z.int().describe('Number of cards that the controller recognizes'),
  members: z.array(affectedMember).describe('Affected members, by name'),
}).describe('Who is affected by a stolen controller');
export type StolenControllerResponse = z.infer<typeof stolenControllerResponseSchema>;
