import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { memberCredentialFields } from './shared-member-credential-fields.ts';

export const memberMagicLinkResponseSchema = tolerantObjectSchema({
  id: idSchema('member_magic_link'),
  ...memberCredentialFields,
});
export type MemberMagicLinkResponse = z.infer<typeof memberMagicLinkResponseSchema>;

export const memberMagicLinkRevealedResponseSchema = tolerantObjectSchema({
  ...memberMagicLinkResponseSchema.shape,
  link: z.url(),
});
export type MemberMagicLinkRevealedResponse = z.infer<typeof memberMagicLinkRevealedResponseSchema>;
