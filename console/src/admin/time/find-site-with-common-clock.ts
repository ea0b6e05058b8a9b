import type { SiteResponse } from '@lintel/wire-protocol/rest/site';

/** A site whose clock is that of all these sites; undefined if they are in several time zones. */
export const findSiteWithCommonClock = (
  siteIds: Iterable<string>,
  sites: readonly Pick<SiteResponse, 'id' | 'timezone'>[],
): string | undefined => {
  const wanted = new Set(siteIds);
  const found = sites.filter(({ id, timezone }) => wanted.has(id) && timezone !== null);
  return new Set(found.map(({ timezone }) => timezone)).size === 1 ? found[0]!.id : undefined;
};
