import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { memberCredentialFields } from './shared-member-credential-fields.ts';

export const memberTokenResponseSchema = tolerantObjectSchema({
  id: idSchema('member_token'),
  ...memberCredentialFields,
}).describe('A token with which the app of a member opens doors. The token itself is in the response of its creation');
export type MemberTokenResponse = z.infer<typeof memberTokenResponseSchema>;

export const memberTokenRevealedResponseSchema = tolerantObjectSchema({
  ...memberTokenResponseSchema.shape,
  token: z.string().describe('The secret token, for the mobile SDK. Shown once'),
}).describe('A member token with its secret');
export type MemberTokenRevealedResponse = z.infer<typeof memberTokenRevealedResponseSchema>;
