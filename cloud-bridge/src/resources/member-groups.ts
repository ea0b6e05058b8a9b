import type { MemberGroupCreate, MemberGroupEdit } from '@lintel/wire-protocol/rest/member-group';
import type { MemberGroupRow } from '../storage/schema.ts';
import { Resource } from '../transactions/resource.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { requireNoCycle, requireReferencesOfRules } from './permission-references.ts';

const groups = new Resource('member_group', 'member_groups');

/** Nobody can refer to a group before it is there: a new one closes no cycle. */
export const createMemberGroup = async (context: WriteContext, body: MemberGroupCreate): Promise<MemberGroupRow> => {
  await requireReferencesOfRules(context, body.permissions);
  return groups.create(context, body, { name: body.name, permissions: JSON.stringify(body.permissions) });
};

export const editMemberGroup = async (
  context: WriteContext,
  id: string,
  body: MemberGroupEdit,
): Promise<MemberGroupRow> => {
  const { name, permissions } = body;
  const row = await groups.requireLiving(context, id);
  if (permissions !== undefined) {
    await requireReferencesOfRules(context, permissions);
    await requireNoCycle(context, id, permissions);
  }
  return groups.edit(context, row, body, { name, permissions: permissions && JSON.stringify(permissions) });
};

/** Associations and rules that refer to it stay, and give nothing from now on. */
export const deleteMemberGroup = (context: WriteContext, id: string): Promise<MemberGroupRow> =>
  groups.delete(context, id);
