import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { useOrganization } from '../api/organization.ts';
import { useObject } from '../api/resources.ts';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { RenameAndDeleteButtons } from '../named-object/rename-and-delete.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links.ts';
import type { ScreenProps } from '../router/route.ts';
import { AccessPreviewPanel } from './access-preview.tsx';
import { usePermissionRuleObjects, useGroupSizes, useReloadGroups } from './group-data.ts';
import { GroupMemberList } from './group-members.tsx';
import { GroupPermissionRulesPanel } from './group-rules.tsx';

interface GroupProps {
  readonly group: MemberGroupResponse;
}

const GroupActions = ({ group, memberCount }: GroupProps & { readonly memberCount: number }) => {
  const { groups: texts } = useMessages();
  const { allows } = useOrganization();
  const { groups } = usePermissionRuleObjects();
  const reload = useReloadGroups();
  if (!allows('member_groups.write') || group.is_deleted) return null;
  const inheriting = groups.filter(({ permissions }) => permissions.some(rule => rule.member_group_id === group.id));
  return (
    <RenameAndDeleteButtons
      path={`/member_groups/${group.id}`}
      name={group.name}
      deleteTitle={texts.deleteTitle(group.name)}
      listPath="/groups"
      reload={reload}
    >
      <p>{texts.deleteText(memberCount)}</p>
      {inheriting.length === 0 ? null : <p>{texts.deleteInherited(inheriting.map(({ name }) => name).join(', '))}</p>}
    </RenameAndDeleteButtons>
  );
};

const GroupContent = ({ group }: GroupProps) => {
  const { groups: texts, members } = useMessages();
  const { allows } = useOrganization();
  const objects = usePermissionRuleObjects();
  const memberCount = useGroupSizes()?.get(group.id) ?? 0;
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
      <div class="columns">
        <div class="column">
          <GroupPermissionRulesPanel group={group} memberCount={memberCount} objects={objects} />
          <section class="card panel" aria-labelledby="group-access">
            <h2 id="group-access">{texts.access}</h2>
            <AccessPreviewPanel objects={objects} groupId={group.id} rules={group.permissions} />
          </section>
        </div>
        {allows('members.read') && !group.is_deleted ? (
          <div class="column">
            <GroupMemberList groupId={group.id} />
          </div>
        ) : null}
      </div>
    </>
  );
};

export const GroupScreen = ({ params }: ScreenProps) => {
  const { shell } = useMessages();
  const linkTo = useLinkTo();
  const group = useObject<MemberGroupResponse>('member_group', `/member_groups/${params['group_id'] ?? ''}`);
  return (
    <>
      <a class="back-link" href={linkTo('/groups')}>
        ← {shell.groups}
      </a>
      <QueryContent query={group}>{data => <GroupContent group={data} />}</QueryContent>
    </>
  );
};
