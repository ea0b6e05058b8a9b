import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { Button } from '../../design/controls.tsx';
import { crossMarkIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiList } from '../api/resource-hooks.ts';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { useMessages } from '../messages/language.ts';
import { formatValidity } from '../members/format-validity.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { type ExpandedMember, useMemberClockSite, useReloadMembers } from './member-hooks.ts';

const AddGroup = ({
  member,
  onAdd,
}: {
  readonly member: ExpandedMember;
  readonly onAdd: (groupId: string) => void;
}) => {
  const texts = useMessages().member;
  const { data: groups = [] } = useApiList<MemberGroupResponse>('member_group', '/member_groups');
  const joined = new Set<string>(member.group_associations.map(({ member_group_id }) => member_group_id));
  const available = groups.filter(({ id }) => !joined.has(id));
  if (available.length === 0) return null;
  return (
    <select aria-label={texts.addGroup} value="" onChange={event => onAdd(event.currentTarget.value)}>
      <option value="">{texts.addGroup}…</option>
      {available.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
};

/** The groups of the member; adding and removing takes effect at once. */
export const MemberGroupsEditor = ({ member }: { readonly member: ExpandedMember }) => {
  const messages = useMessages();
  const texts = messages.member;
  const time = useSiteTimeFormats(useMemberClockSite(member.id));
  const { client, allows } = useCurrentOrganization();
  const { run } = useNotifiedAction();
  const reload = useReloadMembers();
  const path = `/members/${member.id}/group_associations`;
  const change = (send: () => Promise<unknown>): Promise<void> =>
    run(async () => {
      await send();
      await reload();
    });
  const canEdit = allows('members.write') && !member.is_deleted;
  return (
    <section class="card panel" aria-labelledby="member-groups">
      <h2 id="member-groups">{texts.groups}</h2>
      {member.group_associations.length === 0 ? <p class="quiet">{texts.noGroups}</p> : null}
      <ul class="entry-list">
        {member.group_associations.map(association => {
          const name = association.member_group?.name ?? association.member_group_id;
          const isLimited = association.starts_at !== null || association.ends_at !== null;
          return (
            <li key={association.id}>
              <span>
                {name}
                {isLimited ? <small class="quiet">{formatValidity(association, messages, time)}</small> : null}
              </span>
              {canEdit ? (
                <Button
                  icon={crossMarkIcon}
                  variant="plain"
                  label={texts.leaveGroup(name)}
                  onPress={() => void change(() => client.delete(`${path}/${association.id}`))}
                />
              ) : null}
            </li>
          );
        })}
      </ul>
      {canEdit ? (
        <AddGroup
          member={member}
          onAdd={member_group_id => void change(() => client.post(path, { member_group_id }))}
        />
      ) : null}
    </section>
  );
};
