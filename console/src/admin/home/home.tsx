import { Icon } from '../../design/icon.tsx';
import { addIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { PageHeader } from '../components/page-header.tsx';
import { RecentEventList } from '../events/recent-events.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { ActivityChart } from './activity-chart.tsx';
import { AttentionList } from './attention-list.tsx';
import { DoorsOverviewPanel } from './doors-overview.tsx';

export const HomeScreen = () => {
  const { home, stay } = useMessages();
  const linkTo = useLinkTo();
  const { name, allows } = useCurrentOrganization();
  const mayReadEvents = allows('events.read');
  return (
    <>
      <PageHeader title={home.title} subtitle={name}>
        {allows('members.write') ? (
          <a class="button primary" href={linkTo('/members/new')}>
            <Icon shape={addIcon} />
            {stay.title}
          </a>
        ) : null}
      </PageHeader>
      <AttentionList />
      <DoorsOverviewPanel />
      {mayReadEvents ? (
        <div class="columns">
          <RecentEventList title={home.recent} count={8} activityPath="/activity" />
          <ActivityChart />
        </div>
      ) : null}
    </>
  );
};
