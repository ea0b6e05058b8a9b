import { LockoutPanel } from '../access/lockout-status.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { RecentEventList } from '../events/recent-events.tsx';
import { computeMemberStatus, memberStatusLevels } from '../members/member-status.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import type { ScreenProps } from '../router/screen-route-type.ts';
import { ExplainAccessButton } from '../access-explanation/explain-access-button.tsx';
import { MemberCredentialsPanel } from './member-credentials-panel.tsx';
import { MemberAccessPanel } from './member-access.tsx';
import { MemberActionButtons } from './member-actions.tsx';
import { type ExpandedMember, useMember, useMemberClockSite } from './member-hooks.ts';
import { MemberGroupsEditor } from './member-groups.tsx';
import { MemberTagsEditor } from './member-tags.tsx';
import { PersonalDataPanel } from './personal-data.tsx';
import { ValidityTimeline } from './validity-timeline.tsx';

const MemberContent = ({ member }: { readonly member: ExpandedMember }) => {
  const messages = useMessages();
  const { members } = messages;
  const { allows } = useCurrentOrganization();
  const name = member.name === '' ? members.unnamed : member.name;
  const siteId = useMemberClockSite(member.id);
  const status = computeMemberStatus(member, Date.now());
  return (
    <>
      <PageHeader
        title={name}
        subtitle={<StatusBadge level={memberStatusLevels[status]} text={members.statuses[status]} />}
      >
        <ExplainAccessButton question={{ memberId: member.id, memberName: name }} label={messages.member.checkAccess} />
        <MemberActionButtons member={member} />
      </PageHeader>
      <LockoutPanel memberId={member.id} />
      <section class="card panel" aria-labelledby="member-validity">
        <h2 id="member-validity">{messages.member.validity}</h2>
        <ValidityTimeline startsAt={member.starts_at} endsAt={member.ends_at} siteId={siteId} />
      </section>
      <div class="columns">
        <div class="column">
          <MemberCredentialsPanel member={member} />
        </div>
        <div class="column">
          <MemberGroupsEditor member={member} />
          <MemberTagsEditor member={member} />
          <MemberAccessPanel member={member} />
          <PersonalDataPanel member={member} />
        </div>
      </div>
      {allows('events.read') ? (
        <RecentEventList
          title={messages.member.activity}
          count={10}
          query={{ 'subject.member_id': member.id }}
          matches={({ subject }) => subject.member_id === member.id}
          activityPath={`/activity?member=${member.id}`}
        />
      ) : null}
    </>
  );
};

export const MemberScreen = ({ params }: ScreenProps) => {
  const { member: texts } = useMessages();
  const linkTo = useLinkTo();
  const member = useMember(params['member_id'] ?? '');
  return (
    <>
      <a class="back-link" href={linkTo('/members')}>
        ← {texts.back}
      </a>
      <QueryContent query={member}>{data => <MemberContent member={data} />}</QueryContent>
    </>
  );
};
