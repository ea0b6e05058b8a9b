import type { MemberGroupCreate, MemberGroupEdit } from '@lintel/wire-protocol/rest/member-group';
import type { MemberGroupRow } from '../storage/schema.ts';
import { insertRow, mergedMetadata, requireLivingRow, requireRow, requireTags, updateRow } from '../writing/rows.ts';
import type { WriteContext } from '../writing/writer.ts';
import { requireNoCycle, requireReferencesOfRules } from './permission-references.ts';

const tellOf = (context: WriteContext, verb: 'create' | 'edit' | 'delete', id: string): void => {
  context.log({ verb, object: { type: 'member_group', member_group_id: id } });
  context.changed('member_group', id);
};

/** Nobody can refer to a group before it is there: a new one closes no cycle. */
export const createMemberGroup = async (
  context: WriteContext,
  { name, permissions, metadata, tag_ids }: MemberGroupCreate,
): Promise<MemberGroupRow> => {
  await requireTags(context, tag_ids);
  await requireReferencesOfRules(context, permissions);
  const row = await insertRow(context, 'member_groups', {
    id: context.newId('member_group'),
    organization_id: context.organizationId,
    is_deleted: 0,
    created_at: context.now,
    metadata: JSON.stringify(metadata),
    name,
    permissions: JSON.stringify(permissions),
    tag_ids: JSON.stringify(tag_ids),
  });
  tellOf(context, 'create', row.id);
  return row;
};

export const editMemberGroup = async (
  context: WriteContext,
  id: string,
  { name, permissions, metadata, tag_ids }: MemberGroupEdit,
): Promise<MemberGroupRow> => {
  const row = await requireLivingRow(context, 'member_groups', 'member_group', id);
  if (tag_ids !== undefined) await requireTags(context, tag_ids);
  if (permissions !== undefined) {
    await requireReferencesOfRules(context, permissions);
    await requireNoCycle(context, id, permissions);
  }
  const edited = await updateRow(context, 'member_groups', row, {
    ...(name === undefined ? {} : { name }),
    ...(permissions === undefined ? {} : { permissions: JSON.stringify(permissions) }),
    ...(metadata === undefined ? {} : { metadata: mergedMetadata(row.metadata, metadata) }),
    ...(tag_ids === undefined ? {} : { tag_ids: JSON.stringify(tag_ids) }),
  });
  if (edited !== row) tellOf(context, 'edit', id);
  return edited;
};

/** Associations and rules that refer to it stay, and give nothing from now on. */
export const deleteMemberGroup = async (context: WriteContext, id: string): Promise<MemberGroupRow> => {
  const row = await requireRow(context, 'member_groups', 'member_group', id);
  if (row.is_deleted === 1) return row;
  const deleted = await updateRow(context, 'member_groups', row, { is_deleted: 1 });
  tellOf(context, 'delete', id);
  return deleted;
};
