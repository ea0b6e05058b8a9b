import { useOrganization } from '../api/organization.ts';
import { PageHeader } from '../components/page-header.tsx';
import { useMessages } from '../messages/language.ts';
import { DoorsOverview } from './doors-overview.tsx';
import { RecentActivity } from './recent-activity.tsx';

export const HomeScreen = () => {
  const { home } = useMessages();
  const { name, allows } = useOrganization();
  const mayReadEvents = allows('events.read');
  return (
    <>
      <PageHeader title={home.title} subtitle={name} />
      <DoorsOverview />
      {mayReadEvents ? <RecentActivity /> : null}
    </>
  );
};
