import type { AccessRequest, Member, Validity } from '@lintel/access-core/access-data-types';
import { compileSchedule } from '@lintel/access-core/schedule';
import { computeLocalSecondOfWeek, resolveTimeZone } from '@lintel/access-core/time-zone';
import type { GeneratedHotel } from './generate-hotel-members-and-requests.ts';

/** A request with site and local time precomputed, because the other engines cannot compute them. */
export interface DecisionRequest extends AccessRequest {
  readonly site_id: string;
  /** Seconds since Monday 00:00 at the site. */
  readonly local_second: number;
}

/** True when access is granted. */
export type AccessEngine = (request: DecisionRequest) => boolean;

export const toDecisionRequests = (
  hotel: GeneratedHotel,
  requests: readonly AccessRequest[],
): readonly DecisionRequest[] => {
  const sites = new Map(
    hotel.sites.map(({ id, timezone }) => {
      const zone = resolveTimeZone(timezone);
      if (!zone.ok) throw new Error(`Unknown time zone: ${timezone}`);
      return [id, zone.value];
    }),
  );
  const siteOf = new Map(hotel.gadgets.map(({ id, site_id }) => [id, site_id]));
  const decisionRequests = requests.map(request => {
    const site_id = siteOf.get(request.gadget_id)!;
    return { ...request, site_id, local_second: computeLocalSecondOfWeek(sites.get(site_id)!, request.now) };
  });
  // Parsed from JSON, so that the memory layout is that of received data.
  return JSON.parse(JSON.stringify(decisionRequests)) as readonly DecisionRequest[];
};

export interface WeekSecondsRange {
  readonly start: number;
  readonly end: number;
}

/** The ranges of each schedule in seconds of the week. */
export const weekRanges = (hotel: GeneratedHotel): ReadonlyMap<string, readonly WeekSecondsRange[]> =>
  new Map(
    hotel.schedules.map(({ id, weekdays }) => {
      const bounds = compileSchedule(weekdays);
      const ranges = Array.from({ length: bounds.length / 2 }, (_, index) => ({
        start: bounds[2 * index]!,
        end: bounds[2 * index + 1]!,
      }));
      return [id, ranges];
    }),
  );

export const isValid = ({ starts_at, ends_at }: Validity, now: number): boolean =>
  (starts_at === null || now >= starts_at) && (ends_at === null || now < ends_at);

/** The data of an engine. */
export interface EngineData {
  readonly hotel: GeneratedHotel;
  readonly members: readonly Member[];
}
