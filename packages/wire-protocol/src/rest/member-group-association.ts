import * as z from 'zod';
import { dateTime, endsNotBeforeStart } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { memberCredentialFields } from './member-credential.ts';
import { metadataCreate } from './metadata.ts';

export const memberGroupAssociationResponse = tolerantObject({
  id: idSchema('member_group_association'),
  ...memberCredentialFields,
  member_group_id: idSchema('member_group'),
  starts_at: dateTime.nullable(),
  ends_at: dateTime.nullable(),
});
export type MemberGroupAssociationResponse = z.infer<typeof memberGroupAssociationResponse>;

export const memberGroupAssociationCreate = z
  .strictObject({
    member_group_id: idSchema('member_group'),
    starts_at: dateTime.nullable().default(null),
    ends_at: dateTime.nullable().default(null),
    metadata: metadataCreate,
  })
  .check(endsNotBeforeStart);
export type MemberGroupAssociationCreate = z.infer<typeof memberGroupAssociationCreate>;
