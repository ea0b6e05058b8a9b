import * as z from 'zod';
import { createObject } from '../schema-parts/create-object.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { stableCardUid, printedCode } from './card.ts';
import { exactlyOneOf } from './field-choice.ts';
import { memberCredentialFields } from './member-credential.ts';
import { metadataCreate } from './metadata.ts';

export const memberCardResponse = tolerantObject({
  id: idSchema('member_card'),
  ...memberCredentialFields,
  card_id: idSchema('card'),
  uid: z.string().nullable(),
  printed_code: z.string().nullable(),
  name: z.string().nullable(),
});
export type MemberCardResponse = z.infer<typeof memberCardResponse>;

export const memberCardCreate = createObject({
  card_id: idSchema('card').optional(),
  uid: stableCardUid.optional(),
  printed_code: printedCode.optional(),
  metadata: metadataCreate,
}).check(exactlyOneOf('card_id', 'uid', 'printed_code'));
export type MemberCardCreate = z.infer<typeof memberCardCreate>;
