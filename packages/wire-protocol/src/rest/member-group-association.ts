import * as z from 'zod';
import { createObject } from '../schema-parts/create-object.ts';
import { dateTime, endsNotBeforeStart } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { memberCredentialFields } from './member-credential.ts';
import { metadataCreate, metadataPatch } from './metadata.ts';

export const memberGroupAssociationResponse = tolerantObject({
  id: idSchema('member_group_association'),
  ...memberCredentialFields,
  member_group_id: idSchema('member_group'),
  starts_at: dateTime.nullable(),
  ends_at: dateTime.nullable(),
});
export type MemberGroupAssociationResponse = z.infer<typeof memberGroupAssociationResponse>;

export const memberGroupAssociationCreate = createObject({
  member_group_id: idSchema('member_group'),
  starts_at: dateTime.nullable().default(null),
  ends_at: dateTime.nullable().default(null),
  metadata: metadataCreate,
}).check(endsNotBeforeStart);
export type MemberGroupAssociationCreate = z.infer<typeof memberGroupAssociationCreate>;

export const memberGroupAssociationEdit = z
  .strictObject({
    starts_at: dateTime.nullish(),
    ends_at: dateTime.nullish(),
    metadata: metadataPatch.optional(),
  })
  .check(endsNotBeforeStart);
export type MemberGroupAssociationEdit = z.infer<typeof memberGroupAssociationEdit>;
