import { useLocation } from 'preact-iso/router';
import { formatQuery, type QueryParameters } from '../api/send-request.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';

export const buildOrganizationScreenPath = (organizationId: string, path = ''): string =>
  `/organizations/${organizationId}${path}`;

/** Builds addresses of the console for the current organization: `linkTo('/members')`. */
export const useLinkTo = (): ((path: string) => string) => {
  const { id } = useCurrentOrganization();
  return path => buildOrganizationScreenPath(id, path);
};

/** Reads and replaces the query of the address, so that filters survive a reload and can be shared as a link. */
export const useUrlQueryParameters = (): readonly [
  Readonly<Record<string, string>>,
  (changes: QueryParameters) => void,
] => {
  const { path, query, route } = useLocation();
  const change = (changes: QueryParameters): void => {
    // Two changes may follow each other before the next render, whose query would lack the first one.
    const { pathname, search } = window.location;
    const current = pathname === path ? Object.fromEntries(new URLSearchParams(search)) : query;
    route(`${path}${formatQuery({ ...current, ...changes })}`, true);
  };
  return [query, change];
};
