import type { MemberGroupAssociationResponse } from '@lintel/wire-protocol/rest/member-group-association';
import { useRef, useState } from 'preact/hooks';
import { useOwnLimits } from '../access/desk-limits.ts';
import { listMemberGroupAccess } from '../access/member-group-access.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { GroupedSelectField } from '../components/grouped-select-field.tsx';
import { useNotices } from '../components/notices.tsx';
import { usePermissionRuleObjects } from '../groups/member-group-hooks.ts';
import { useLostDoors } from '../groups/remove-from-group.tsx';
import { useMessages } from '../messages/language.ts';
import { type ExpandedMember, useMemberAccess, useReloadMembers } from './member-hooks.ts';

interface MoveGroupProps {
  readonly member: ExpandedMember;
  readonly association: MemberGroupAssociationResponse;
  readonly groupName: string;
  readonly onClose: () => void;
}

/** Replaces a group by another one for the same time, such as a room by another room, and says what changes first. */
export const MoveGroupDialog = ({ member, association, groupName, onClose }: MoveGroupProps) => {
  const { member: texts, members } = useMessages();
  const { client } = useCurrentOrganization();
  const notices = useNotices();
  const reload = useReloadMembers();
  const objects = usePermissionRuleObjects();
  const { data: access } = useMemberAccess(member.id);
  const lostDoors = useLostDoors(association);
  const { mayGive } = useOwnLimits();
  const [groupId, setGroupId] = useState('');
  /** Joined by an attempt that could not leave the other group. */
  const joined = useRef<string | null>(null);
  const others = new Set<string>(member.group_associations.map(({ member_group_id }) => member_group_id));
  const available = objects.groups.filter(({ id }) => !others.has(id) && mayGive(id));
  const group = available.find(({ id }) => id === groupId);
  const name = member.name === '' ? members.unnamed : member.name;
  const opened = new Set<string>(
    group === undefined
      ? []
      : listMemberGroupAccess(objects, group.id, group.permissions).map(({ gadget_id }) => gadget_id),
  );
  const before = new Set<string>(access?.access.map(({ gadget_id }) => gadget_id));
  const namesOf = (doors: readonly { readonly name: string }[]): string => doors.map(door => door.name).join(', ');
  const gained = objects.doors.filter(({ id }) => opened.has(id) && !before.has(id));
  const lost = (lostDoors ?? []).filter(({ id }) => !opened.has(id));
  const { starts_at, ends_at, metadata } = association;
  const path = `/members/${member.id}/group_associations`;
  const replace = async (from: { readonly id: string }, to: string): Promise<string> => {
    joined.current ??= (
      await client.post<MemberGroupAssociationResponse>(path, { member_group_id: to, starts_at, ends_at, metadata })
    ).id;
    const { current: id } = joined;
    await client.delete(`${path}/${from.id}`);
    joined.current = null;
    await reload();
    return id;
  };
  const move = async (): Promise<void> => {
    const id = await replace(association, group!.id);
    notices.showUndo(texts.groupMoved(name, groupName, group!.name), () =>
      replace({ id }, association.member_group_id),
    );
  };
  return (
    <FormDialog
      title={texts.moveTitle(name, groupName)}
      submitLabel={texts.moveConfirm}
      isDisabled={group === undefined || lostDoors === undefined || access === undefined}
      onSubmit={move}
      onClose={onClose}
    >
      <GroupedSelectField
        id="move-group"
        label={texts.moveTo}
        value={groupId}
        options={available}
        placeholder={texts.chooseGroup}
        onChange={id => {
          joined.current = null;
          setGroupId(id);
        }}
      />
      {group === undefined ? null : (
        <div aria-live="polite">
          <p>
            <strong>
              {gained.length === 0
                ? texts.opensNothingMore
                : opened.size === objects.doors.length
                  ? texts.opensAllDoors(objects.doors.length)
                  : texts.alsoOpens(namesOf(gained))}
            </strong>
          </p>
          <p>{lost.length === 0 ? texts.losesNoDoor : texts.losesDoors(namesOf(lost))}</p>
        </div>
      )}
    </FormDialog>
  );
};
