import { useMessages } from '../messages/language.ts';
import { SubNavigation } from '../router/sub-navigation.tsx';

export const OrganizationUsersNavigation = () => {
  const { people } = useMessages();
  return (
    <SubNavigation
      label={people.title}
      items={[
        { path: '/people', label: people.users },
        { path: '/people/audit', label: people.auditLog },
      ]}
    />
  );
};
