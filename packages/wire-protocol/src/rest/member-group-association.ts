import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema, checkEndNotBeforeStart } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { memberCredentialFields } from './shared-member-credential-fields.ts';
import { metadataCreateSchema, metadataPatchSchema } from './metadata-and-tags.ts';

const STARTS =
  'Beginning of the association: ISO 8601 with an offset or Z, returned in UTC. Null: no beginning. Normally null: set the dates of the member';
const ENDS =
  'End of the association: ISO 8601 with an offset or Z, returned in UTC. Null: no end. Not before starts_at. Normally null';

export const memberGroupAssociationResponseSchema = tolerantObjectSchema({
  id: idSchema('member_group_association'),
  ...memberCredentialFields,
  member_group_id: idSchema('member_group'),
  starts_at: dateTimeSchema.nullable().describe(STARTS),
  ends_at: dateTimeSchema.nullable().describe(ENDS),
}).describe('Gives a member the permissions of a group, within its own dates and those of the member');
export type MemberGroupAssociationResponse = z.infer<typeof memberGroupAssociationResponseSchema>;

export const createMemberGroupAssociationRequestSchema = createPostBodySchema({
  member_group_id: idSchema('member_group'),
  starts_at: dateTimeSchema.nullable().default(null).describe(STARTS),
  ends_at: dateTimeSchema.nullable().default(null).describe(ENDS),
  metadata: metadataCreateSchema,
}).check(checkEndNotBeforeStart);
export type CreateMemberGroupAssociationRequest = z.infer<typeof createMemberGroupAssociationRequestSchema>;

export const editMemberGroupAssociationRequestSchema = z
  .strictObject({
    starts_at: dateTimeSchema.nullish().describe(STARTS),
    ends_at: dateTimeSchema.nullish().describe(ENDS),
    metadata: metadataPatchSchema.optional(),
  })
  .check(checkEndNotBeforeStart);
export type EditMemberGroupAssociationRequest = z.infer<typeof editMemberGroupAssociationRequestSchema>;
