import type { SiteResponse } from '@lintel/wire-protocol/rest/site';
import { createSiteTime, type SiteTime } from '../../components/texts/site-time.ts';
import { useSites } from '../api/resource-hooks.ts';
import { useLanguage } from '../messages/language.ts';
import { countCalendarDaysBetween } from './date-time-local-value.ts';

export interface SiteTimeFormats extends Pick<SiteTime, 'zone' | 'isZoneKnown'> {
  /** `18 Nov 2026, 11:00`. */
  readonly formatDateTime: (iso: string) => string;
  /** `Today 11:00`, `Tomorrow 11:00`, `18 Nov, 11:00`. */
  readonly formatShort: (iso: string) => string;
  /** As `formatShort`, within a sentence: `today 11:00`, `18 Nov, 11:00`. */
  readonly formatWithin: (iso: string) => string;
  readonly formatTime: (iso: string) => string;
  /** All sites have this time zone, so a list names it once. */
  readonly isOnlyZone: boolean;
  /** `Today`, `Yesterday`, `Monday, 16 November`. */
  readonly formatDay: (iso: string) => string;
}

/** The time of a site; default: that of the oldest site with a time zone. */
const createTimeOfSite = (locale: string, sites: readonly SiteResponse[], siteId: string | undefined): SiteTime => {
  const site = sites.find(({ id }) => id === siteId) ?? sites.findLast(({ timezone }) => timezone !== null);
  return createSiteTime(locale, site?.timezone ?? null);
};

/** The time zone in which `useSiteTimeFormats` formats times of all these sites; null if there are several. */
export const useCommonTimeZone = (siteIds: readonly (string | null | undefined)[]): string | null => {
  const { locale } = useLanguage();
  const { data: sites = [] } = useSites();
  const zoneOf = (id?: string): string => createTimeOfSite(locale, sites, id).zone;
  const [zone = zoneOf(), ...others] = new Set(siteIds.map(id => zoneOf(id ?? undefined)));
  return others.length === 0 ? zone : null;
};

/** Formats times in the time zone of a site; default: that of the oldest site. */
export const useSiteTimeFormats = (siteId?: string): SiteTimeFormats => {
  const { locale, messages } = useLanguage();
  const { data: sites = [] } = useSites();
  const { zone, isZoneKnown, format: formatAt } = createTimeOfSite(locale, sites, siteId);
  const format = (options: Intl.DateTimeFormatOptions, iso: string): string => formatAt(options, new Date(iso));
  const { today, yesterday, tomorrow } = messages.general;
  const dayNames: Readonly<Record<number, string>> = { [-1]: yesterday, 0: today, 1: tomorrow };
  const dayName = (iso: string): string | undefined =>
    dayNames[countCalendarDaysBetween(Date.now(), Date.parse(iso), zone)];
  const formatTime = (iso: string): string => format({ timeStyle: 'short' }, iso);
  const isThisYear = (iso: string): boolean =>
    format({ year: 'numeric' }, iso) === format({ year: 'numeric' }, new Date().toISOString());
  const formatDate = (iso: string): string => {
    const year = isThisYear(iso) ? {} : ({ year: 'numeric' } as const);
    return format({ day: 'numeric', month: 'short', ...year }, iso);
  };
  const formatAfter = (day: string | undefined, iso: string): string =>
    day === undefined ? `${formatDate(iso)}, ${formatTime(iso)}` : `${day} ${formatTime(iso)}`;
  return {
    zone,
    isZoneKnown,
    isOnlyZone: sites.every(({ timezone }) => timezone === null || timezone === zone),
    formatTime,
    formatDateTime: iso => format({ dateStyle: 'medium', timeStyle: 'short' }, iso),
    formatShort: iso => formatAfter(dayName(iso), iso),
    // The names of days begin with a capital, those of months keep what the language prescribes.
    formatWithin: iso => formatAfter(dayName(iso)?.toLocaleLowerCase(locale), iso),
    formatDay: iso => dayName(iso) ?? format({ weekday: 'long', day: 'numeric', month: 'long' }, iso),
  };
};

/** For a list of several sites: the time zone of each, and a date and time in it. */
export const useTimesOfSites = () => {
  const { locale } = useLanguage();
  const { data: sites = [] } = useSites();
  return (siteId: string | undefined): Pick<SiteTimeFormats, 'zone' | 'formatDateTime'> => {
    const { zone, format } = createTimeOfSite(locale, sites, siteId);
    return { zone, formatDateTime: iso => format({ dateStyle: 'medium', timeStyle: 'medium' }, new Date(iso)) };
  };
};
