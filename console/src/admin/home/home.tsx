import { useOrganization } from '../api/organization.ts';
import { PageHeader } from '../components/page-header.tsx';
import { useMessages } from '../messages/language.ts';
import { ActivityChart } from './activity-chart.tsx';
import { AttentionList } from './attention-list.tsx';
import { DoorsOverview } from './doors-overview.tsx';
import { RecentActivity } from './recent-activity.tsx';

export const HomeScreen = () => {
  const { home } = useMessages();
  const { name, allows } = useOrganization();
  const mayReadEvents = allows('events.read');
  return (
    <>
      <PageHeader title={home.title} subtitle={name} />
      <AttentionList />
      <DoorsOverview />
      {mayReadEvents ? (
        <div class="columns">
          <RecentActivity />
          <ActivityChart />
        </div>
      ) : null}
    </>
  );
};
