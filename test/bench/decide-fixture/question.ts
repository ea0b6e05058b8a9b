import type { AccessRequest, Member, Validity } from '@lintel/access-core/access-model';
import { compileSchedule } from '@lintel/access-core/schedule';
import { localTime, zoneFor } from '@lintel/access-core/time-zone';
import type { Hotel } from './hotel.ts';

/** A request with what the other engines cannot know: they are given the gadget's site and its local time for nothing. */
export interface Question extends AccessRequest {
  readonly site_id: string;
  /** Seconds since Monday 00:00 at the site. */
  readonly local_second: number;
}

/** Answers whether the door opens. */
export type Engine = (question: Question) => boolean;

export const questionsFrom = (hotel: Hotel, requests: readonly AccessRequest[]): readonly Question[] => {
  const sites = new Map(
    hotel.sites.map(({ id, timezone }) => {
      const zone = zoneFor(timezone);
      if (!zone.ok) throw new Error(`no such time zone: ${timezone}`);
      return [id, zone.value];
    }),
  );
  const siteOf = new Map(hotel.gadgets.map(({ id, site_id }) => [id, site_id]));
  const questions = requests.map(request => {
    const site_id = siteOf.get(request.gadget_id)!;
    return { ...request, site_id, local_second: localTime(sites.get(site_id)!, request.now) };
  });
  // As they come out of a parser: objects and texts of their own, side by side.
  return JSON.parse(JSON.stringify(questions)) as readonly Question[];
};

export interface WeekRange {
  readonly start: number;
  readonly end: number;
}

/** The ranges of each schedule in seconds of the week. */
export const weekRanges = (hotel: Hotel): ReadonlyMap<string, readonly WeekRange[]> =>
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

/** What an engine is built from. */
export interface EngineWorld {
  readonly hotel: Hotel;
  readonly members: readonly Member[];
}
