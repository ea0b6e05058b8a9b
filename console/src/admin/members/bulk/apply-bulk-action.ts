import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import { editCurrentObject } from '../../api/edit-object.ts';
import type { OrganizationClient } from '../../api/organization-client.ts';
import { type ChangeTags, withoutTag, withTag } from '../add-or-remove-tag-id.ts';
import type { MemberWithGroupAssociations } from '../member-list-item.tsx';

export const memberBulkActions = ['addGroup', 'removeGroup', 'addTag', 'removeTag', 'extend', 'end', 'delete'] as const;
export type MemberBulkAction = (typeof memberBulkActions)[number];

export interface MemberBulkActionInput {
  readonly action: MemberBulkAction;
  /** The group or tag. */
  readonly targetId: string;
  /** The new end. */
  readonly endsAt: string | null;
}

type Outcome = 'done' | 'skipped';

/** What an action does with one member. Skips a member for whom nothing changes. */
export const applyBulkActionToMember = async (
  client: OrganizationClient,
  member: MemberWithGroupAssociations,
  { action, targetId, endsAt }: MemberBulkActionInput,
): Promise<Outcome> => {
  const path = `/members/${member.id}`;
  const joined = (member.group_associations ?? []).filter(one => one.member_group_id === targetId);
  const tagIds: readonly string[] = member.tag_ids;
  const changeTags = (change: ChangeTags) =>
    editCurrentObject<MemberResponse>(client, path, ({ tag_ids }) => ({ tag_ids: change(tag_ids) }));
  switch (action) {
    case 'addGroup':
      if (joined.length > 0) return 'skipped';
      await client.post(`${path}/group_associations`, { member_group_id: targetId });
      return 'done';
    case 'removeGroup':
      for (const { id } of joined) await client.delete(`${path}/group_associations/${id}`);
      return joined.length === 0 ? 'skipped' : 'done';
    case 'addTag':
      if (tagIds.includes(targetId)) return 'skipped';
      await changeTags(withTag(targetId));
      return 'done';
    case 'removeTag':
      if (!tagIds.includes(targetId)) return 'skipped';
      await changeTags(withoutTag(targetId));
      return 'done';
    case 'extend':
    case 'end':
      await client.patch(path, { ends_at: endsAt });
      return 'done';
    case 'delete':
      if (member.is_deleted) return 'skipped';
      await client.delete(path);
      return 'done';
  }
};
