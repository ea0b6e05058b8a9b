import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

type SiteTimeFormatter = (iso: string) => string;

/** Formats times in the time zone of the site. */
export const createSiteTimeFormatter = (timeZone: string): SiteTimeFormatter => {
  const format = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone });
  return iso => format.format(new Date(iso));
};

const context = createContext<SiteTimeFormatter>(createSiteTimeFormatter('UTC'));

export const SiteTimeFormatterProvider = context.Provider;

export const useSiteTimeFormatter = (): SiteTimeFormatter => useContext(context);
