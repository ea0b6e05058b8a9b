import { LocationProvider, Route as RouteMatch, Router, useLocation } from 'preact-iso/router';
import { useEffect, useMemo } from 'preact/hooks';
import {
  CurrentOrganizationContext,
  createCurrentOrganization,
  useCurrentOrganization,
} from './api/current-organization.ts';
import { loadAdminSession, type AdminSession } from './api/load-admin-session.ts';
import { useQuery } from './api/use-query.ts';
import { EmptyState } from './components/empty-state.tsx';
import { FreshLoginProvider } from './components/fresh-login-prompt.tsx';
import { LoadingIndicator } from './components/loading-indicator.tsx';
import { NoticesProvider } from './components/notices.tsx';
import { QueryContent } from './components/query-content.tsx';
import { UnsavedInputProvider } from './components/unsaved-input.tsx';
import { homeIcon, keyIcon } from '../design/icons.ts';
import { LanguageProvider, type LoadedLanguage } from './messages/language-provider.tsx';
import { useMessages } from './messages/language.ts';
import { AdminErrorBoundary } from './shell/admin-error-boundary.tsx';
import { LazyScreen } from './shell/lazy-screen.tsx';
import { buildOrganizationScreenPath } from './router/links-and-query-parameters.ts';
import type { ScreenRoute } from './router/screen-route-type.ts';
import { screenRoutes } from './routes.ts';
import { AdminShell } from './shell/shell.tsx';

const PageNotFound = () => {
  const { general } = useMessages();
  return <EmptyState icon={homeIcon} title={general.pageNotFound} text={general.pageNotFoundText} />;
};

const NoPermission = () => {
  const { general } = useMessages();
  return <EmptyState icon={keyIcon} title={general.noPermission} text={general.forbidden} />;
};

const screenOf = (route: ScreenRoute) => (props: { readonly params?: Readonly<Record<string, string>> }) => {
  const { allows } = useCurrentOrganization();
  if (route.permission !== null && !allows(route.permission)) return <NoPermission />;
  return (
    <AdminErrorBoundary>
      <LazyScreen route={route} params={props.params ?? {}} />
    </AdminErrorBoundary>
  );
};
/** One component per route, because the router remounts when the component changes. */
const screens = screenRoutes.map(route => ({ route, Screen: screenOf(route) }));

const OrganizationPages = () => (
  <AdminShell routes={screenRoutes}>
    <Router>
      {screens.map(({ route, Screen }) => (
        <RouteMatch
          key={route.path}
          path={buildOrganizationScreenPath(':organization_id', route.path)}
          component={Screen}
        />
      ))}
      <RouteMatch default component={PageNotFound} />
    </Router>
  </AdminShell>
);

const LAST_ORGANIZATION_KEY = 'lintel-organization';

/** Selects the organization of the address, else the one that was used last. */
const SessionPages = ({ session }: { readonly session: AdminSession }) => {
  const { path, route } = useLocation();
  const { shell } = useMessages();
  const [, , addressed = ''] = path.split('/');
  const { organizations } = session;
  const response = organizations.find(({ id }) => id === addressed);
  const fallback =
    organizations.find(({ id }) => id === localStorage.getItem(LAST_ORGANIZATION_KEY)) ?? organizations[0];
  useEffect(() => {
    if (response !== undefined) localStorage.setItem(LAST_ORGANIZATION_KEY, response.id);
    else if (fallback !== undefined) route(buildOrganizationScreenPath(fallback.id), true);
  }, [response, fallback]);
  const organization = useMemo(
    () => (response === undefined ? null : createCurrentOrganization(session, response)),
    [session, response],
  );
  if (organizations.length === 0)
    return <EmptyState icon={homeIcon} title={shell.noOrganization} text={shell.noOrganizationText} />;
  if (organization === null) return <LoadingIndicator />;
  return (
    <CurrentOrganizationContext.Provider value={organization} key={organization.id}>
      <OrganizationPages />
    </CurrentOrganizationContext.Provider>
  );
};

const App = () => {
  const session = useQuery({ queryKey: ['session'], queryFn: loadAdminSession, staleTime: Number.POSITIVE_INFINITY });
  return <QueryContent query={session}>{loaded => <SessionPages session={loaded} />}</QueryContent>;
};

export const AdminApp = ({ initial }: { readonly initial: LoadedLanguage }) => (
  <LanguageProvider initial={initial}>
    <LocationProvider scope={/^\/(?:organizations(?:\/|$)|$)/}>
      <NoticesProvider>
        <FreshLoginProvider>
          <UnsavedInputProvider>
            <AdminErrorBoundary>
              <App />
            </AdminErrorBoundary>
          </UnsavedInputProvider>
        </FreshLoginProvider>
      </NoticesProvider>
    </LocationProvider>
  </LanguageProvider>
);
