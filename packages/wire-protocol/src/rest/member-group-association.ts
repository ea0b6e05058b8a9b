import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema, checkEndNotBeforeStart } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { memberCredentialFields } from './shared-member-credential-fields.ts';
import { metadataCreateSchema, metadataPatchSchema } from './metadata-and-tags.ts';

export const memberGroupAssociationResponseSchema = tolerantObjectSchema({
  id: idSchema('member_group_association'),
  ...memberCredentialFields,
  member_group_id: idSchema('member_group'),
  starts_at: dateTimeSchema.nullable(),
  ends_at: dateTimeSchema.nullable(),
});
export type MemberGroupAssociationResponse = z.infer<typeof memberGroupAssociationResponseSchema>;

export const createMemberGroupAssociationRequestSchema = createPostBodySchema({
  member_group_id: idSchema('member_group'),
  starts_at: dateTimeSchema.nullable().default(null),
  ends_at: dateTimeSchema.nullable().default(null),
  metadata: metadataCreateSchema,
}).check(checkEndNotBeforeStart);
export type CreateMemberGroupAssociationRequest = z.infer<typeof createMemberGroupAssociationRequestSchema>;

export const editMemberGroupAssociationRequestSchema = z
  .strictObject({
    starts_at: dateTimeSchema.nullish(),
    ends_at: dateTimeSchema.nullish(),
    metadata: metadataPatchSchema.optional(),
  })
  .check(checkEndNotBeforeStart);
export type EditMemberGroupAssociationRequest = z.infer<typeof editMemberGroupAssociationRequestSchema>;
