import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import type { MemberGroupAssociationResponse } from '@lintel/wire-protocol/rest/member-group-association';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { addIcon, clockIcon, crossMarkIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { usePagedApiList } from '../api/resource-hooks.ts';
import { useObjectEdit } from '../api/use-object-edit.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { MemberPicker } from '../components/member-picker.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useValidityInput, ValidityFields } from '../components/validity-fields.tsx';
import { formatValidity, isLimited } from '../members/format-validity.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { useReloadMemberGroups } from './member-group-hooks.ts';
import { RemoveFromGroupDialog } from './remove-from-group.tsx';

const PAGE_SIZE = 25;

interface GroupMember extends MemberResponse {
  readonly group_associations: readonly MemberGroupAssociationResponse[];
}

interface AssociationDialogProps {
  readonly groupId: string;
  /** Null to add a member. */
  readonly association: MemberGroupAssociationResponse | null;
  readonly onClose: () => void;
}

/** Adds a member to the group, or changes from when to when it belongs to it. */
const AssociationDialog = ({ groupId, association, onClose }: AssociationDialogProps) => {
  const { groups: texts, stay } = useMessages();
  const { client } = useCurrentOrganization();
  const reload = useReloadMemberGroups();
  const edit = useObjectEdit(association);
  const [member, setMember] = useState<MemberResponse | null>(null);
  const dates = useValidityInput(association ?? { starts_at: null, ends_at: null });
  const save = async (): Promise<void> => {
    const path = `/members/${association?.member_id ?? member!.id}/group_associations`;
    if (association === null) await client.post(path, { member_group_id: groupId, ...dates.validity });
    else await edit(`${path}/${association.id}`, dates.validity);
    await reload();
  };
  return (
    <FormDialog
      title={association === null ? texts.addMember : texts.changeValidity}
      isDisabled={dates.isEndWrong || (association === null && member === null)}
      fieldLabels={{ starts_at: stay.from, ends_at: stay.until }}
      onSubmit={save}
      onClose={onClose}
    >
      {association === null ? <MemberPicker selected={member} onSelect={setMember} /> : null}
      <ValidityFields idPrefix="association" input={dates} />
      <p class="quiet small">{texts.validityHint}</p>
    </FormDialog>
  );
};

interface MemberGroupMemberListProps {
  readonly groupId: string;
  readonly groupName: string;
}

export const MemberGroupMemberList = ({ groupId, groupName }: MemberGroupMemberListProps) => {
  const messages = useMessages();
  const { groups: texts, members, activity } = messages;
  const { allows } = useCurrentOrganization();
  const linkTo = useLinkTo();
  const time = useSiteTimeFormats();
  const [leaving, setLeaving] = useState<{
    readonly member: GroupMember;
    readonly association: MemberGroupAssociationResponse;
  } | null>(null);
  const [dialog, setDialog] = useState<{ readonly association: MemberGroupAssociationResponse | null } | null>(null);
  const list = usePagedApiList<GroupMember>('member', '/members', {
    member_group_id: groupId,
    expand: 'group_associations',
    limit: PAGE_SIZE,
  });
  const canEdit = allows('members.write');
  const nameOf = ({ name }: GroupMember): string => (name === '' ? members.unnamed : name);
  const rows = list.items.flatMap(member =>
    member.group_associations
      .filter(({ member_group_id }) => member_group_id === groupId)
      .map(association => ({ member, association })),
  );
  return (
    <section class="card panel" aria-labelledby="group-members">
      <h2 id="group-members">{texts.members}</h2>
      <QueryContent query={list}>
        {() => (
          <>
            {rows.length === 0 ? <p class="quiet">{texts.noMembers}</p> : null}
            <ul class="entry-list">
              {rows.map(({ member, association }) => (
                <li key={association.id}>
                  <span>
                    <a href={linkTo(`/members/${member.id}`)}>{nameOf(member)}</a>
                    <small class="quiet">{formatValidity(association, messages, time)}</small>
                  </span>
                  {canEdit ? (
                    <>
                      <Button
                        icon={clockIcon}
                        variant="plain"
                        label={`${texts.changeValidity}: ${nameOf(member)}`}
                        onPress={() => setDialog({ association })}
                      />
                      <Button
                        icon={crossMarkIcon}
                        variant="plain"
                        label={texts.removeMember(nameOf(member))}
                        onPress={() => setLeaving({ member, association })}
                      />
                    </>
                  ) : null}
                </li>
              ))}
            </ul>
            {time.isOnlyZone && rows.some(({ association }) => isLimited(association)) ? (
              <p class="quiet small">{activity.zone(time.zone)}</p>
            ) : null}
          </>
        )}
      </QueryContent>
      <div class="bar">
        {canEdit ? (
          <Button icon={addIcon} onPress={() => setDialog({ association: null })}>
            {texts.addMember}
          </Button>
        ) : null}
        {list.hasNextPage ? <Button onPress={() => void list.fetchNextPage()}>{texts.moreMembers}</Button> : null}
      </div>
      {dialog === null ? null : (
        <AssociationDialog groupId={groupId} association={dialog.association} onClose={() => setDialog(null)} />
      )}
      {leaving === null ? null : (
        <RemoveFromGroupDialog
          association={leaving.association}
          memberName={nameOf(leaving.member)}
          groupName={groupName}
          onClose={() => setLeaving(null)}
        />
      )}
    </section>
  );
};
