/** An older browser may lack a zone that the bridge accepts. */
const isKnownToBrowser = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

export interface SiteTime {
  /** The time zone in which times are shown and entered. */
  readonly zone: string;
  /** False if the browser does not know the time zone of the site. */
  readonly isZoneKnown: boolean;
  readonly format: (options: Intl.DateTimeFormatOptions, at: Date | number) => string;
}

/**
 * Formats times in the time zone of a site, or in that of the browser if the site has none. If the browser does not
 * know the zone, times are in UTC and say so.
 */
export const createSiteTime = (locale: string, siteZone: string | null): SiteTime => {
  const isZoneKnown = siteZone === null || isKnownToBrowser(siteZone);
  const zone = isZoneKnown ? (siteZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone) : 'UTC';
  return {
    zone,
    isZoneKnown,
    format: (options, at) => {
      const text = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }).format(at);
      const hasTime = options.timeStyle !== undefined || options.hour !== undefined;
      return isZoneKnown || !hasTime || options.timeZoneName !== undefined ? text : `${text} UTC`;
    },
  };
};
