import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `POST …/devices/{device_id}/enroll_card`. */
export const createCardEnrollmentRequestSchema = z.strictObject({
  reader: z
    .string()
    .min(1)
    .max(64)
    .nullish()
    .describe(
      'Name of the reader in the hardware profile, 1 to 64 characters. Null or absent: any reader of the controller',
    ),
});

export const readNextCardResponseSchema = tolerantObjectSchema({
  outcome: openEnumSchema(['card', 'phone', 'magic_link', 'random_uid', 'no_card']).describe(
    'What was presented. random_uid: it shows another UID at each tap. no_card: nothing was presented in time',
  ),
  reader: z.string().nullable().describe('Name of the reader. Null if nothing was presented'),
  uid: z.string().nullable().describe('ISO 14443 UID in hexadecimal. Null if there is none'),
  card_id: idSchema('card')
    .nullable()
    .describe('Id of the card of the organization with this UID. Null if there is none'),
}).describe('What was presented at a reader');
export type ReadNextCardResponse = z.infer<typeof readNextCardResponseSchema>;
