import * as z from 'zod';
import { idOf } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { lastingUid, printedCode } from './card.ts';
import { exactlyOneOf } from './field-choice.ts';
import { ofMember } from './member-credential.ts';
import { metadataCreate } from './metadata.ts';

export const memberCardAnswer = tolerantObject({
  id: idOf('member_card'),
  ...ofMember,
  card_id: idOf('card'),
  uid: z.string().nullable(),
  printed_code: z.string().nullable(),
  name: z.string().nullable(),
});
export type MemberCardAnswer = z.infer<typeof memberCardAnswer>;

export const memberCardCreate = z
  .strictObject({
    card_id: idOf('card').optional(),
    uid: lastingUid.optional(),
    printed_code: printedCode.optional(),
    metadata: metadataCreate,
  })
  .check(exactlyOneOf('card_id', 'uid', 'printed_code'));
export type MemberCardCreate = z.infer<typeof memberCardCreate>;
