import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { cardPrintedCodeSchema } from './card.ts';
import { stableCardUidSchema } from './card-uid.ts';
import { createExactlyOneFieldCheck, describeExactlyOneField } from './field-choice-checks.ts';
import { memberCredentialFields } from './shared-member-credential-fields.ts';
import { metadataCreateSchema } from './metadata-and-tags.ts';

export const memberCardResponseSchema = tolerantObjectSchema({
  id: idSchema('member_card'),
  ...memberCredentialFields,
  card_id: idSchema('card'),
  uid: z.string().nullable().describe('ISO 14443 UID of the card: 4, 7 or 10 bytes in hexadecimal. Null if not known'),
  printed_code: z.string().nullable().describe('Code printed on the card. Null if not known'),
  name: z.string().nullable().describe('Name of the card in the organization. Null if not known'),
}).describe('A card that a member holds');
export type MemberCardResponse = z.infer<typeof memberCardResponseSchema>;

export const createMemberCardRequestSchema = createPostBodySchema({
  card_id: idSchema('card')
    .optional()
    .describe(
      'Id of a card of the organization: crd_ and an opaque suffix. Exactly one of card_id, uid and printed_code',
    ),
  uid: stableCardUidSchema
    .optional()
    .describe(
      'ISO 14443 UID: 4, 7 or 10 bytes in hexadecimal, unique in the organization. 4 bytes that begin with 08 are random and refused. Exactly one of card_id, uid and printed_code',
    ),
  printed_code: cardPrintedCodeSchema
    .optional()
    .describe('Code printed on the card, 1 to 64 characters. Exactly one of card_id, uid and printed_code'),
  metadata: metadataCreateSchema,
})
  .check(createExactlyOneFieldCheck('card_id', 'uid', 'printed_code'))
  .meta(describeExactlyOneField('card_id', 'uid', 'printed_code'));
export type CreateMemberCardRequest = z.infer<typeof createMemberCardRequestSchema>;
