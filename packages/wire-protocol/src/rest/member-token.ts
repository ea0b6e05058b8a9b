import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { memberCredentialFields } from './shared-member-credential-fields.ts';

export const memberTokenResponseSchema = tolerantObjectSchema({
  id: idSchema('member_token'),
  ...memberCredentialFields,
});
export type MemberTokenResponse = z.infer<typeof memberTokenResponseSchema>;

export const memberTokenRevealedResponseSchema = tolerantObjectSchema({
  ...memberTokenResponseSchema.shape,
  token: z.string(),
});
export type MemberTokenRevealedResponse = z.infer<typeof memberTokenRevealedResponseSchema>;
