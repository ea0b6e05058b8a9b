import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { GroupLockoutPanel } from '../access/lockout-status.tsx';
import { HistoryPanel } from '../audit/history-panel.tsx';
import { useApiObject } from '../api/resource-hooks.ts';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { RenameAndDeleteButtons } from '../named-object/rename-and-delete-buttons.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import type { ScreenProps } from '../router/screen-route-type.ts';
import { AccessPreviewPanel } from './access-preview.tsx';
import { usePermissionRuleObjects, useMemberGroupSizes, useReloadMemberGroups } from './member-group-hooks.ts';
import { DeskPermissionPanel } from './desk-permission.tsx';
import { MemberGroupMemberList } from './group-members.tsx';
import { MemberGroupPermissionRulesPanel } from './group-permission-rules.tsx';

interface GroupProps {
  readonly group: MemberGroupResponse;
}

const GroupActions = ({ group, memberCount }: GroupProps & { readonly memberCount: number }) => {
  const { groups: texts } = useMessages();
  const { allows } = useCurrentOrganization();
  const { groups } = usePermissionRuleObjects();
  const reload = useReloadMemberGroups();
  if (!allows('member_groups.write') || group.is_deleted) return null;
  const inheriting = groups.filter(({ permissions }) => permissions.some(rule => rule.member_group_id === group.id));
  return (
    <RenameAndDeleteButtons
      path={`/member_groups/${group.id}`}
      name={group.name}
      deleteTitle={texts.deleteTitle(group.name)}
      reload={reload}
    >
      <p>{texts.deleteText(memberCount)}</p>
      {inheriting.length === 0 ? null : <p>{texts.deleteInherited(inheriting.map(({ name }) => name).join(', '))}</p>}
    </RenameAndDeleteButtons>
  );
};

const GroupContent = ({ group }: GroupProps) => {
  const { groups: texts, members } = useMessages();
  const { allows } = useCurrentOrganization();
  const objects = usePermissionRuleObjects();
  const memberCount = useMemberGroupSizes()?.get(group.id) ?? 0;
  return (
    <>
      <PageHeader
        title={group.name === '' ? members.unnamed : group.name}
        subtitle={
          group.is_deleted ? (
            <StatusBadge level="error" text={members.statuses.deleted} />
          ) : (
            texts.memberCount(memberCount)
          )
        }
      >
        <GroupActions group={group} memberCount={memberCount} />
      </PageHeader>
      <GroupLockoutPanel groupId={group.id} />
      <div class="columns">
        <div class="column">
          <MemberGroupPermissionRulesPanel group={group} memberCount={memberCount} objects={objects} />
          {group.is_deleted ? null : <DeskPermissionPanel group={group} objects={objects} />}
          <section class="card panel" aria-labelledby="group-access">
            <h2 id="group-access">{texts.access}</h2>
            <AccessPreviewPanel objects={objects} groupId={group.id} rules={group.permissions} />
          </section>
        </div>
        {allows('members.read') && !group.is_deleted ? (
          <div class="column">
            <MemberGroupMemberList groupId={group.id} groupName={group.name} />
          </div>
        ) : null}
      </div>
      {allows('events.read') ? <HistoryPanel objectId={group.id} /> : null}
    </>
  );
};

export const MemberGroupScreen = ({ params }: ScreenProps) => {
  const { shell } = useMessages();
  const linkTo = useLinkTo();
  const group = useApiObject<MemberGroupResponse>('member_group', `/member_groups/${params['group_id'] ?? ''}`);
  return (
    <>
      <a class="back-link" href={linkTo('/groups')}>
        ← {shell.groups}
      </a>
      <QueryContent query={group}>{data => <GroupContent group={data} />}</QueryContent>
    </>
  );
};
