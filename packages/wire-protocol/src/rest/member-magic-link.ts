import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { memberCredentialFields } from './shared-member-credential-fields.ts';

export const memberMagicLinkResponseSchema = tolerantObjectSchema({
  id: idSchema('member_magic_link'),
  ...memberCredentialFields,
}).describe(
  'A link that opens the guest page of a member. The link itself is in the response of its creation and of reveal',
);
export type MemberMagicLinkResponse = z.infer<typeof memberMagicLinkResponseSchema>;

export const memberMagicLinkRevealedResponseSchema = tolerantObjectSchema({
  ...memberMagicLinkResponseSchema.shape,
  link: z.url().describe('URL that gives instant access to its holder. Give it to the member only'),
}).describe('A magic link with its secret');
export type MemberMagicLinkRevealedResponse = z.infer<typeof memberMagicLinkRevealedResponseSchema>;
