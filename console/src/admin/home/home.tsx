import { DoorsOverview } from './doors-overview.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { useMessages } from '../messages/language.ts';
import { useOrganization } from '../api/organization.ts';

export const HomeScreen = () => {
  const { home } = useMessages();
  const { name } = useOrganization();
  return (
    <>
      <PageHeader title={home.title} subtitle={name} />
      <DoorsOverview />
    </>
  );
};
