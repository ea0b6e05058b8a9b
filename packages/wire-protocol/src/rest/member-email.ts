import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { memberCredentialFields } from './shared-member-credential-fields.ts';
import { metadataCreateSchema } from './metadata-and-tags.ts';

export const memberEmailResponseSchema = tolerantObjectSchema({
  id: idSchema('member_email'),
  ...memberCredentialFields,
  email: z.string().describe('Email address with which the member signs in'),
}).describe('An email address of a member. A member can have several');
export type MemberEmailResponse = z.infer<typeof memberEmailResponseSchema>;

export const createMemberEmailRequestSchema = createPostBodySchema({
  email: z.email().max(254).describe('Email address, at most 254 characters'),
  metadata: metadataCreateSchema,
});
export type CreateMemberEmailRequest = z.infer<typeof createMemberEmailRequestSchema>;
