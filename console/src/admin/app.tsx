import { LocationProvider, Route as RouteMatch, Router, useLocation } from 'preact-iso/router';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Organization, OrganizationContext, toOrganization } from './api/organization.ts';
import { loadSession, type Session } from './api/session.ts';
import { useQuery } from './api/use-query.ts';
import { EmptyState } from './components/empty-state.tsx';
import { Loading } from './components/loading.tsx';
import { NoticesProvider } from './components/notices.tsx';
import { QueryContent } from './components/query-content.tsx';
import { homeIcon } from '../design/icons.ts';
import type { Messages } from './messages/en.ts';
import {
  type LanguageCode,
  LanguageContext,
  loadMessages,
  localeOf,
  storeLanguage,
  useMessages,
} from './messages/language.ts';
import { LazyScreen } from './router/lazy-screen.tsx';
import { organizationPath } from './router/links.ts';
import type { Route } from './router/route.ts';
import { routes } from './routes.ts';
import { AdminShell } from './shell/shell.tsx';

interface LoadedLanguage {
  readonly language: LanguageCode;
  readonly messages: Messages;
}

const LanguageProvider = (props: { readonly initial: LoadedLanguage; readonly children: ComponentChildren }) => {
  const [{ language, messages }, setLoaded] = useState(props.initial);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const select = (code: LanguageCode): void => {
    storeLanguage(code);
    void loadMessages(code).then(loaded => setLoaded({ language: code, messages: loaded }));
  };
  return (
    <LanguageContext.Provider value={{ code: language, locale: localeOf(language), messages, select }}>
      {props.children}
    </LanguageContext.Provider>
  );
};

const PageNotFound = () => {
  const { general } = useMessages();
  return <EmptyState icon={homeIcon} title={general.pageNotFound} text={general.pageNotFoundText} />;
};

const screenOf = (route: Route) => (props: { readonly params?: Readonly<Record<string, string>> }) => (
  <LazyScreen route={route} params={props.params ?? {}} />
);
/** One component per route, because the router remounts when the component changes. */
const screens = routes.map(route => ({ route, Screen: screenOf(route) }));

const OrganizationPages = ({ organization }: { readonly organization: Organization }) => (
  <AdminShell routes={routes}>
    <Router>
      {screens
        .filter(({ route: { permission } }) => permission === null || organization.allows(permission))
        .map(({ route, Screen }) => (
          <RouteMatch key={route.path} path={organizationPath(':organization_id', route.path)} component={Screen} />
        ))}
      <RouteMatch default component={PageNotFound} />
    </Router>
  </AdminShell>
);

const LAST_ORGANIZATION_KEY = 'lintel-organization';

/** Selects the organization of the address, else the one that was used last. */
const SessionPages = ({ session }: { readonly session: Session }) => {
  const { path, route } = useLocation();
  const { shell } = useMessages();
  const [, , addressed = ''] = path.split('/');
  const { organizations } = session;
  const response = organizations.find(({ id }) => id === addressed);
  const fallback =
    organizations.find(({ id }) => id === localStorage.getItem(LAST_ORGANIZATION_KEY)) ?? organizations[0];
  useEffect(() => {
    if (response !== undefined) localStorage.setItem(LAST_ORGANIZATION_KEY, response.id);
    else if (fallback !== undefined) route(organizationPath(fallback.id), true);
  }, [response, fallback]);
  const organization = useMemo(
    () => (response === undefined ? null : toOrganization(session, response)),
    [session, response],
  );
  if (organizations.length === 0)
    return <EmptyState icon={homeIcon} title={shell.noOrganization} text={shell.noOrganizationText} />;
  if (organization === null) return <Loading />;
  return (
    <OrganizationContext.Provider value={organization} key={organization.id}>
      <OrganizationPages organization={organization} />
    </OrganizationContext.Provider>
  );
};

const App = () => {
  const session = useQuery({ queryKey: ['session'], queryFn: loadSession, staleTime: Number.POSITIVE_INFINITY });
  return <QueryContent query={session}>{loaded => <SessionPages session={loaded} />}</QueryContent>;
};

export const AdminApp = ({ initial }: { readonly initial: LoadedLanguage }) => (
  <LanguageProvider initial={initial}>
    <LocationProvider scope={/^\/(?:organizations(?:\/|$)|$)/}>
      <NoticesProvider>
        <App />
      </NoticesProvider>
    </LocationProvider>
  </LanguageProvider>
);
