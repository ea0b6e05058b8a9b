import { checkAll } from '../http/api-error.ts';
import { requireExistingTags } from '../transactions/row-operations.ts';
import type { CreateMemberGroupRequest, EditMemberGroupRequest } from '@lintel/wire-protocol/rest/member-group';
import type { MemberGroupRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { requireNoInheritanceCycle, requireValidPermissionRuleReferences } from './validate-permission-rules.ts';

const groups = new ResourceWriter('member_group', 'member_groups');

/** Needs no cycle check, because no group can refer to a new group. */
export const createMemberGroup = async (
  context: WriteContext,
  body: CreateMemberGroupRequest,
): Promise<MemberGroupRow> => {
  await checkAll([
    () => requireValidPermissionRuleReferences(context, body.permissions),
    () => requireExistingTags(context, body.tag_ids),
  ]);
  return groups.create(context, body, { name: body.name, permissions: JSON.stringify(body.permissions) });
};

export const editMemberGroup = async (
  context: WriteContext,
  id: string,
  body: EditMemberGroupRequest,
): Promise<MemberGroupRow> => {
  const { name, permissions } = body;
  const row = await groups.requireActive(context, id);
  if (permissions !== undefined) {
    await checkAll([
      () => requireValidPermissionRuleReferences(context, permissions),
      () => requireExistingTags(context, body.tag_ids ?? []),
    ]);
    await requireNoInheritanceCycle(context, id, permissions);
  }
  return groups.edit(context, row, body, { name, permissions: permissions && JSON.stringify(permissions) });
};

/** Keeps associations and rules that refer to the group, but they no longer grant access. */
export const deleteMemberGroup = (context: WriteContext, id: string): Promise<MemberGroupRow> =>
  groups.delete(context, id);
