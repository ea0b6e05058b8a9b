import type { AccessMethod } from '@lintel/access-core/access-data-types';
import type { Instant } from '@lintel/access-core/instant';
import type { WeeklyTimeRanges } from '@lintel/access-core/schedule';
import type { OrganizationWithoutMembers } from '../access-snapshot/organization-without-members.ts';
import { listGroupGrants } from '../effective-access.ts';

const DAY_S = 86_400;

/** A way in which the members of a group may perform an action. */
export interface TimedGrant {
  readonly action_id: string;
  readonly access_methods: readonly AccessMethod[];
  readonly requires_presence: boolean;
  /** Limited to times that are inside all of these. */
  readonly weeks: readonly WeeklyTimeRanges[];
}

/** What the members of a group may do, by gadget. */
export type GroupAccess = ReadonlyMap<string, readonly TimedGrant[]>;

export const listGroupAccess = (
  structure: OrganizationWithoutMembers,
  groupId: string,
  now: Instant,
  gadgetIds: Iterable<string> = structure.gadgets.keys(),
): GroupAccess => {
  const weeks = new Map<string, WeeklyTimeRanges>();
  const weekOf = (id: string): WeeklyTimeRanges => {
    const week = weeks.get(id) ?? (JSON.parse(structure.schedules.get(id)!.weekdays) as WeeklyTimeRanges);
    weeks.set(id, week);
    return week;
  };
  return new Map(
    listGroupGrants(structure, groupId, now, gadgetIds).map(([gadgetId, grants]) => [
      gadgetId,
      grants.map(({ action_id, access_methods, requires_presence, schedule_ids }) => ({
        action_id,
        access_methods,
        requires_presence,
        weeks: schedule_ids.map(weekOf),
      })),
    ]),
  );
};

const isInside = (week: WeeklyTimeRanges, second: number): boolean =>
  week[Math.floor(second / DAY_S)]!.ranges.some(({ start, end }) => start <= second % DAY_S && second % DAY_S < end);

const isAllowed = ({ weeks }: TimedGrant, second: number): boolean => weeks.every(week => isInside(week, second));

/** The seconds of the week at which a schedule of the grants may begin or end. */
const listBoundaries = (grants: readonly TimedGrant[]): readonly number[] => {
  const bounds = grants
    .flatMap(({ weeks }) => weeks)
    .flatMap(week =>
      week.flatMap(({ ranges }, day) => ranges.flatMap(({ start, end }) => [day * DAY_S + start, day * DAY_S + end])),
    );
  return [...new Set([0, ...bounds])].filter(second => second < 7 * DAY_S);
};

/** Whether `access` allows all that `other` allows, at all times. */
export const coversAccess = (access: readonly TimedGrant[], other: readonly TimedGrant[]): boolean => {
  const boundaries = listBoundaries([...access, ...other]);
  return other.every(grant =>
    grant.access_methods.every(method => {
      const rivals = access.filter(
        ({ action_id, access_methods, requires_presence }) =>
          action_id === grant.action_id &&
          access_methods.includes(method) &&
          (!requires_presence || grant.requires_presence),
      );
      return boundaries.every(second => !isAllowed(grant, second) || rivals.some(rival => isAllowed(rival, second)));
    }),
  );
};
