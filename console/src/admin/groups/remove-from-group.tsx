import type { MemberAccessResponse } from '@lintel/wire-protocol/admin/effective-access';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { MemberGroupAssociationResponse } from '@lintel/wire-protocol/rest/member-group-association';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiObject, useGadgets } from '../api/resource-hooks.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useNotices } from '../components/notices.tsx';
import { useMessages } from '../messages/language.ts';
import { useReloadMemberGroups } from './member-group-hooks.ts';

interface RemoveFromGroupProps {
  readonly association: MemberGroupAssociationResponse;
  readonly memberName: string;
  readonly groupName: string;
  readonly onClose: () => void;
}

/** The doors that nothing but this association opens. */
export const useLostDoors = ({
  id,
  member_id,
}: MemberGroupAssociationResponse): readonly GadgetResponse[] | undefined => {
  const { data } = useApiObject<MemberAccessResponse>('member', `/members/${member_id}/access`);
  const { data: doors = [] } = useGadgets();
  if (data === undefined) return undefined;
  const lost = new Set<string>();
  const kept = new Set<string>();
  for (const { gadget_id, grants } of data.access)
    (grants.every(grant => grant.member_group_association_id === id) ? lost : kept).add(gadget_id);
  return doors.filter(door => lost.has(door.id) && !kept.has(door.id));
};

/** Asks before a member leaves a group, names the doors that are lost, and offers to take it back. */
export const RemoveFromGroupDialog = ({ association, memberName, groupName, onClose }: RemoveFromGroupProps) => {
  const { member: texts } = useMessages();
  const { client } = useCurrentOrganization();
  const notices = useNotices();
  const reload = useReloadMemberGroups();
  const lost = useLostDoors(association);
  const { member_group_id, starts_at, ends_at, metadata } = association;
  const path = `/members/${association.member_id}/group_associations`;
  const remove = async (): Promise<void> => {
    await client.delete(`${path}/${association.id}`);
    await reload();
    notices.showUndo(texts.groupRemoved(memberName, groupName), async () => {
      await client.post(path, { member_group_id, starts_at, ends_at, metadata });
      await reload();
    });
  };
  return (
    <ConfirmDialog
      title={texts.leaveGroupTitle(memberName, groupName)}
      confirmLabel={texts.leaveGroupConfirm}
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    >
      {lost === undefined ? null : (
        <p>{lost.length === 0 ? texts.losesNoDoor : texts.losesDoors(lost.map(({ name }) => name).join(', '))}</p>
      )}
    </ConfirmDialog>
  );
};
