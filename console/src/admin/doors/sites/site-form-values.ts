import { resolveTimeZone } from '@lintel/access-core/time-zone';
import type { SiteResponse } from '@lintel/wire-protocol/rest/site';

/** The text fields of the dialog. */
export interface SiteFormValues {
  readonly name: string;
  readonly timezone: string;
  /** `41.4036, 2.1744`, as maps show it. */
  readonly coordinates: string;
  /** In meters. */
  readonly radius: string;
}

export const DEFAULT_SITE_RADIUS = '100';

export const toSiteFormValues = (site: Pick<SiteResponse, 'name' | 'timezone' | 'geo'>): SiteFormValues => ({
  name: site.name,
  timezone: site.timezone ?? '',
  coordinates: site.geo === null ? '' : `${site.geo.location.lat}, ${site.geo.location.lng}`,
  radius: site.geo === null ? DEFAULT_SITE_RADIUS : String(site.geo.radius),
});

const parseCoordinates = (text: string): { readonly lat: number; readonly lng: number } | null => {
  const parts = text.split(/[,;\s]+/).filter(part => part !== '');
  const [lat = Number.NaN, lng = Number.NaN] = parts.map(Number);
  const isValid = parts.length === 2 && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  return isValid ? { lat, lng } : null;
};

export type SiteFormFieldName = 'name' | 'timezone' | 'coordinates' | 'radius';

export const isTimeZone = (text: string): boolean => resolveTimeZone(text.trim()).ok;

/**
 * The first field that cannot be saved. The time zone that the site has already is kept, because this browser may be
 * too old to know it.
 */
export const findInvalidSiteField = (
  { name, timezone, coordinates, radius }: SiteFormValues,
  site: Pick<SiteResponse, 'timezone'> | null,
): SiteFormFieldName | null => {
  if (name.trim() === '') return 'name';
  if (timezone.trim() !== '' && timezone !== site?.timezone && !isTimeZone(timezone)) return 'timezone';
  if (coordinates.trim() === '') return null;
  if (parseCoordinates(coordinates) === null) return 'coordinates';
  return Number(radius) > 0 && Number.isFinite(Number(radius)) ? null : 'radius';
};

/** The body of the request; without coordinates the site has no location. */
export const toSiteRequestBody = ({ name, timezone, coordinates, radius }: SiteFormValues) => {
  const location = parseCoordinates(coordinates);
  return {
    name: name.trim(),
    timezone: timezone.trim() === '' ? null : timezone.trim(),
    geo: location === null ? null : { location, radius: Number(radius) },
  };
};
