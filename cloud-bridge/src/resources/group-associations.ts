import type {
  CreateMemberGroupAssociationRequest,
  EditMemberGroupAssociationRequest,
} from '@lintel/wire-protocol/rest/member-group-association';
import type { GroupAssociationRow } from '../storage/schema.ts';
import { insertRow, requireReferencedRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import {
  editMemberCredential,
  recordCredentialEvent,
  type MemberCredentialRef,
  createCredentialColumns,
  requireActiveMemberCredential,
} from './member-credentials.ts';
import { isShortened, toInstantOrNull, mergeValidity } from './merge-validity.ts';

export const createGroupAssociation = async (
  context: WriteContext,
  memberId: string,
  { member_group_id, starts_at, ends_at, metadata }: CreateMemberGroupAssociationRequest,
): Promise<GroupAssociationRow> => {
  const association = await createCredentialColumns(context, 'member_group_association', memberId, metadata);
  await requireReferencedRow(context, 'member_groups', 'member_group_id', member_group_id);
  const row = await insertRow(context, 'member_group_associations', {
    ...association,
    member_group_id,
    starts_at: toInstantOrNull(starts_at),
    ends_at: toInstantOrNull(ends_at),
  });
  recordCredentialEvent(context, 'create', 'member_group_association', row);
  return row;
};

export const editGroupAssociation = async (
  context: WriteContext,
  ref: MemberCredentialRef,
  body: EditMemberGroupAssociationRequest,
): Promise<GroupAssociationRow> => {
  const row = await requireActiveMemberCredential(context, 'member_group_association', ref);
  const edited = await editMemberCredential(context, 'member_group_association', ref, body, mergeValidity(row, body));
  if (isShortened(row, edited)) context.markWithdrawn(row.member_id, 'group');
  if (isShortened(edited, row)) context.markGiven(row.member_id);
  return edited;
};
