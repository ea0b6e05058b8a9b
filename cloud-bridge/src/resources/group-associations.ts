import type { MemberGroupAssociationCreate } from '@lintel/wire-protocol/rest/member-group-association';
import { type DateTime, toInstant } from '@lintel/wire-protocol/schema-parts/date-time';
import type { GroupAssociationRow } from '../storage/schema.ts';
import { insertRow, requireReference } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { newCredentialColumns, logCredentialEvent } from './member-credentials.ts';

const instantOrNull = (time: DateTime | null): number | null => (time === null ? null : toInstant(time));

export const createGroupAssociation = async (
  context: WriteContext,
  memberId: string,
  { member_group_id, starts_at, ends_at, metadata }: MemberGroupAssociationCreate,
): Promise<GroupAssociationRow> => {
  const association = await newCredentialColumns(context, 'member_group_association', memberId, metadata);
  await requireReference(context, 'member_groups', 'member_group_id', member_group_id);
  const row = await insertRow(context, 'member_group_associations', {
    ...association,
    member_group_id,
    starts_at: instantOrNull(starts_at),
    ends_at: instantOrNull(ends_at),
  });
  logCredentialEvent(context, 'create', 'member_group_association', row);
  return row;
};
