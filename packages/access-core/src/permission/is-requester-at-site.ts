import type { AccessRequest, SiteLocation, Site } from '../access-data-types.ts';

const EARTH_RADIUS_METRES = 6_371_008.8;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Haversine: accurate at short distances, where the cosine formula loses precision. */
const greatCircleMetres = (a: SiteLocation, b: SiteLocation): number => {
  const northing = Math.sin(radians(b.lat - a.lat) / 2);
  const easting = Math.sin(radians(b.lng - a.lng) / 2);
  const chord = northing ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * easting ** 2;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.sqrt(Math.min(1, chord)));
};

/** Readers, PINs, cards and Bluetooth imply presence; other online requests must provide a location. */
export const isRequesterAtSite = (
  request: Pick<AccessRequest, 'access_method' | 'location' | 'is_at_reader'>,
  site: Site,
): boolean => {
  if (request.access_method !== 'online' || request.is_at_reader === true) return true;
  if (site.geo == null || request.location == null) return false;
  return greatCircleMetres(request.location, site.geo.location) <= site.geo.radius;
};
