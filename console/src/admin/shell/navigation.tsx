import { useLocation } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { Button } from '../../design/controls.tsx';
import { Icon } from '../../design/icon.tsx';
import { menuIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import type { ScreenRoute } from '../router/screen-route-type.ts';

interface NavigationProps {
  readonly routes: readonly ScreenRoute[];
}

const MOST_IN_BAR = 4;

const useNavigationItems = (routes: readonly ScreenRoute[]): readonly Required<ScreenRoute>[] => {
  const { allows } = useCurrentOrganization();
  return routes
    .filter((route): route is Required<ScreenRoute> => route.navigation !== undefined)
    .filter(({ permission }) => permission === null || allows(permission));
};

/** Whether the entry leads to the current screen or one below it. */
const useIsCurrent = (): ((route: Required<ScreenRoute>) => boolean) => {
  const { path } = useLocation();
  const linkTo = useLinkTo();
  return ({ path: ownPath, navigation: { otherPath } }) => {
    if (ownPath === '') return path === linkTo('');
    const addresses = [ownPath, ...(otherPath === undefined ? [] : [otherPath])].map(linkTo);
    return addresses.some(address => path === address || path.startsWith(`${address}/`));
  };
};

const NavigationLink = ({ route }: { readonly route: Required<ScreenRoute> }) => {
  const messages = useMessages();
  const address = useLinkTo()(route.path);
  const isCurrent = useIsCurrent();
  return (
    <a href={address} aria-current={isCurrent(route) ? 'page' : undefined}>
      <Icon shape={route.navigation.icon} />
      <span>{route.navigation.label(messages)}</span>
    </a>
  );
};

const NavigationList = ({ routes }: { readonly routes: readonly Required<ScreenRoute>[] }) => (
  <ul>
    {routes.map(route => (
      <li key={route.path}>
        <NavigationLink route={route} />
      </li>
    ))}
  </ul>
);

export const SideNavigation = ({ routes }: NavigationProps) => {
  const { shell } = useMessages();
  return (
    <nav class="side-navigation" aria-label={shell.navigation}>
      <NavigationList routes={useNavigationItems(routes)} />
    </nav>
  );
};

/** For phones: the main screens, and a dialog with all of them. */
export const BottomNavigation = ({ routes }: NavigationProps) => {
  const { shell, general } = useMessages();
  const items = useNavigationItems(routes);
  const { path } = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const primary = items.filter(({ navigation }) => navigation.isPrimary === true).slice(0, MOST_IN_BAR);
  const others = items.filter(item => !primary.includes(item));
  const isCurrent = useIsCurrent();
  return (
    <nav class="bottom-navigation" aria-label={shell.navigation}>
      <NavigationList routes={primary} />
      {others.length > 0 ? (
        <button
          type="button"
          aria-expanded={isOpen ? 'true' : 'false'}
          aria-current={others.some(isCurrent) ? 'true' : undefined}
          onClick={() => setOpen(true)}
        >
          <Icon shape={menuIcon} />
          <span>{general.more}</span>
        </button>
      ) : null}
      {isOpen ? (
        <Dialog label={shell.allPages} onClose={() => setOpen(false)}>
          <div class="all-pages">
            <NavigationList routes={items} />
          </div>
          <Button onPress={() => setOpen(false)}>{general.close}</Button>
        </Dialog>
      ) : null}
    </nav>
  );
};
