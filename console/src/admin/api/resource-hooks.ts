import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { InstallationResponse } from '@lintel/wire-protocol/admin/bridge-installation';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { ListPageResponse } from '@lintel/wire-protocol/rest/list-page';
import type { SiteResponse } from '@lintel/wire-protocol/rest/site';
import type { QueryObserverResult } from '@tanstack/query-core';
import { useMemo } from 'preact/hooks';
import { withPartNames } from '../messages/name-gadget-parts.ts';
import { useMessages } from '../messages/language.ts';
import { useCurrentOrganization } from './current-organization.ts';
import { queryClient } from './query-client.ts';
import type { QueryParameters } from './send-request.ts';
import { useInfiniteQuery, useQuery } from './use-query.ts';

/** `kind` is the object type, as events name it: an event about this type makes the list stale. */
export const buildOrganizationQueryKey = (
  organizationId: string,
  kind: string,
  ...rest: readonly unknown[]
): readonly unknown[] => [organizationId, kind, ...rest];

/** A list that is small by nature. */
export const useApiList = <T>(
  kind: string,
  path: string,
  query: QueryParameters = {},
  isEnabled = true,
): QueryObserverResult<readonly T[]> => {
  const { id, client } = useCurrentOrganization();
  return useQuery<readonly T[]>({
    queryKey: buildOrganizationQueryKey(id, kind, path, query),
    queryFn: () => client.listAll<T>(path, query),
    enabled: isEnabled,
  });
};

export const useApiObject = <T>(
  kind: string,
  path: string,
  query: QueryParameters = {},
  isEnabled = true,
  reloadMs: number | false = false,
) => {
  const { id, client } = useCurrentOrganization();
  return useQuery<T>({
    queryKey: buildOrganizationQueryKey(id, kind, path, query),
    queryFn: () => client.get<T>(path, query),
    enabled: isEnabled,
    refetchInterval: reloadMs,
  });
};

/** A long list that is loaded page by page. */
export const usePagedApiList = <T>(kind: string, path: string, query: QueryParameters) => {
  const { id, client } = useCurrentOrganization();
  const result = useInfiniteQuery<ListPageResponse<T>>({
    queryKey: buildOrganizationQueryKey(id, kind, path, query),
    queryFn: ({ pageParam }) => client.list<T>(path, { ...query, cursor: pageParam }),
    initialPageParam: null,
    getNextPageParam: page => page.cursor_next ?? null,
    placeholderData: previous => previous,
  });
  return { ...result, items: result.data?.pages.flatMap(page => page.data) ?? [] };
};

/** Reloads the lists and objects of a kind after a change, also without the event stream. */
export const useReloadObjects = (kind: string): (() => Promise<void>) => {
  const { id } = useCurrentOrganization();
  return () => queryClient.invalidateQueries({ queryKey: [id, kind] });
};

/** `Room 9` comes before `Room 10`. */
const byName = new Intl.Collator(undefined, { numeric: true });

/** Setup of the bridge. */
export const useInstallation = () => useApiObject<InstallationResponse>('installation', '/installation');

export const useSites = () => useApiList<SiteResponse>('site', '/sites');
/** The standard names of actions, states and signals are in the language of the page. */
export const useGadgets = () => {
  const { id, client } = useCurrentOrganization();
  const messages = useMessages();
  const result = useQuery<readonly GadgetResponse[]>({
    queryKey: buildOrganizationQueryKey(id, 'gadget', '/gadgets'),
    queryFn: async () =>
      (await client.listAll<GadgetResponse>('/gadgets')).toSorted((a, b) => byName.compare(a.name, b.name)),
  });
  const { data: stored } = result;
  const data = useMemo(() => stored?.map(gadget => withPartNames(gadget, messages)), [stored, messages]);
  return { ...result, data } as typeof result;
};
export const useDevices = () => useApiList<DeviceResponse>('device', '/devices');
