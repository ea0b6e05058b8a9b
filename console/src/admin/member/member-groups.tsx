import type { MemberGroupAssociationResponse } from '@lintel/wire-protocol/rest/member-group-association';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { crossMarkIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useNotices } from '../components/notices.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { RemoveFromGroupDialog } from '../groups/remove-from-group.tsx';
import { useMessages } from '../messages/language.ts';
import { formatValidity, isLimited } from '../members/format-validity.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { AddGroup } from './add-group.tsx';
import { MoveGroupDialog } from './move-group.tsx';
import { type ExpandedMember, useMemberClockSite, useReloadMembers } from './member-hooks.ts';

/** The groups of the member. */
export const MemberGroupsEditor = ({ member }: { readonly member: ExpandedMember }) => {
  const messages = useMessages();
  const texts = messages.member;
  const time = useSiteTimeFormats(useMemberClockSite(member.id));
  const { client, allows } = useCurrentOrganization();
  const notices = useNotices();
  const { isBusy, run } = useNotifiedAction();
  const reload = useReloadMembers();
  const [moving, setMoving] = useState<ExpandedMember['group_associations'][number] | null>(null);
  const [leaving, setLeaving] = useState<ExpandedMember['group_associations'][number] | null>(null);
  const memberName = member.name === '' ? messages.members.unnamed : member.name;
  const nameOf = ({ member_group, member_group_id }: ExpandedMember['group_associations'][number]): string =>
    member_group?.name ?? member_group_id;
  const path = `/members/${member.id}/group_associations`;
  const add = (group: { readonly id: string; readonly name: string }): Promise<void> =>
    run(async () => {
      const { id } = await client.post<MemberGroupAssociationResponse>(path, { member_group_id: group.id });
      await reload();
      notices.showUndo(texts.groupAdded(memberName, group.name), async () => {
        await client.delete(`${path}/${id}`);
        await reload();
      });
    });
  const canEdit = allows('members.write') && !member.is_deleted;
  return (
    <section class="card panel" aria-labelledby="member-groups">
      <h2 id="member-groups">{texts.groups}</h2>
      {member.group_associations.length === 0 ? <p class="quiet">{texts.noGroups}</p> : null}
      <ul class="entry-list">
        {member.group_associations.map(association => {
          const name = nameOf(association);
          return (
            <li key={association.id}>
              <span>
                {name}
                {isLimited(association) ? (
                  <small class="quiet">{formatValidity(association, messages, time)}</small>
                ) : null}
              </span>
              {canEdit ? (
                <>
                  <Button variant="plain" label={texts.moveGroup(name)} onPress={() => setMoving(association)}>
                    {texts.moveConfirm}
                  </Button>
                  <Button
                    icon={crossMarkIcon}
                    variant="plain"
                    label={texts.leaveGroup(name)}
                    onPress={() => setLeaving(association)}
                  />
                </>
              ) : null}
            </li>
          );
        })}
      </ul>
      {time.isOnlyZone && member.group_associations.some(isLimited) ? <p class="quiet small">{time.zone}</p> : null}
      {canEdit ? <AddGroup member={member} isBusy={isBusy} onAdd={add} /> : null}
      {moving === null ? null : (
        <MoveGroupDialog
          member={member}
          association={moving}
          groupName={nameOf(moving)}
          onClose={() => setMoving(null)}
        />
      )}
      {leaving === null ? null : (
        <RemoveFromGroupDialog
          association={leaving}
          memberName={memberName}
          groupName={nameOf(leaving)}
          onClose={() => setLeaving(null)}
        />
      )}
    </section>
  );
};
