import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { cardPrintedCodeSchema } from './card.ts';
import { stableCardUidSchema } from './card-uid.ts';
import { createExactlyOneFieldCheck } from './field-choice-checks.ts';
import { memberCredentialFields } from './shared-member-credential-fields.ts';
import { metadataCreateSchema } from './metadata-and-tags.ts';

export const memberCardResponseSchema = tolerantObjectSchema({
  id: idSchema('member_card'),
  ...memberCredentialFields,
  card_id: idSchema('card'),
  uid: z.string().nullable(),
  printed_code: z.string().nullable(),
  name: z.string().nullable(),
});
export type MemberCardResponse = z.infer<typeof memberCardResponseSchema>;

export const createMemberCardRequestSchema = createPostBodySchema({
  card_id: idSchema('card').optional(),
  uid: stableCardUidSchema.optional(),
  printed_code: cardPrintedCodeSchema.optional(),
  metadata: metadataCreateSchema,
}).check(createExactlyOneFieldCheck('card_id', 'uid', 'printed_code'));
export type CreateMemberCardRequest = z.infer<typeof createMemberCardRequestSchema>;
