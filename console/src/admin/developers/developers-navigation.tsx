import { SubNavigation } from '../router/sub-navigation.tsx';
import { useMessages } from '../messages/language.ts';

export const DevelopersNavigation = () => {
  const { developers, webhooks } = useMessages();
  return (
    <SubNavigation
      label={developers.title}
      items={[
        { path: '/developers', label: developers.applications },
        { path: '/developers/webhooks', label: webhooks.title },
        { path: '/developers/tokens', label: developers.tokens },
        { path: '/developers/authorizations', label: developers.authorizations },
        { path: '/developers/stream', label: developers.stream },
        { path: '/developers/reference', label: developers.reference },
      ]}
    />
  );
};
