import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { createSiteTime } from '../../components/texts/site-time.ts';

type SiteTimeFormatter = (iso: string) => string;

/** Formats times in the time zone of the site. */
export const createSiteTimeFormatter = (timeZone: string): SiteTimeFormatter => {
  const { format } = createSiteTime('en-GB', timeZone);
  return iso => format({ timeStyle: 'medium' }, new Date(iso));
};

const context = createContext<SiteTimeFormatter>(createSiteTimeFormatter('UTC'));

export const SiteTimeFormatterProvider = context.Provider;

export const useSiteTimeFormatter = (): SiteTimeFormatter => useContext(context);
