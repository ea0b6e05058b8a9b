import * as z from 'zod';
import { dateTime, endsNotBeforeStart } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { ofMember } from './member-credential.ts';
import { metadataCreate } from './metadata.ts';

export const memberGroupAssociationAnswer = tolerantObject({
  id: idOf('member_group_association'),
  ...ofMember,
  member_group_id: idOf('member_group'),
  starts_at: dateTime.nullable(),
  ends_at: dateTime.nullable(),
});
export type MemberGroupAssociationAnswer = z.infer<typeof memberGroupAssociationAnswer>;

export const memberGroupAssociationCreate = z
  .strictObject({
    member_group_id: idOf('member_group'),
    starts_at: dateTime.nullable().default(null),
    ends_at: dateTime.nullable().default(null),
    metadata: metadataCreate,
  })
  .check(endsNotBeforeStart);
export type MemberGroupAssociationCreate = z.infer<typeof memberGroupAssociationCreate>;
