import type { ScheduleId, SiteId } from '../ids.ts';
import type { Instant } from '../instant.ts';
import { type CompiledSchedule, isInside } from '../schedule.ts';
import type { Zone } from '../time-zone.ts';
import type { Happening } from './fire-triggers.ts';

/** A schedule that a trigger of the site waits for, in the site's time. Without a time zone nobody is ever inside. */
export interface WatchedSchedule {
  readonly schedule_id: ScheduleId;
  readonly site_id: SiteId;
  readonly schedule: CompiledSchedule;
  readonly zone: Zone | null;
}

/** Whether each watched schedule was inside when last looked at. Plain JSON, to be kept over a restart. */
export type ScheduleWatch = Readonly<Record<string, boolean>>;

const keyOf = ({ site_id, schedule_id }: WatchedSchedule): string => `${site_id}/${schedule_id}`;

/**
 * Compares now with the last look. After a time without power the kept state decides: when it differs from now, the one
 * event that leads to the present situation happens, once; what came and went meanwhile is not made up for. A schedule
 * that is looked at for the first time begins without an event. `now` is null while the time is not to be trusted: then
 * nothing happens and nothing is forgotten.
 */
export const watchSchedules = (
  watched: readonly WatchedSchedule[],
  last: ScheduleWatch,
  now: Instant | null,
): { readonly state: ScheduleWatch; readonly happenings: readonly Happening[] } => {
  if (now === null) return { state: last, happenings: [] };
  const state: Record<string, boolean> = {};
  const happenings: Happening[] = [];
  for (const one of watched) {
    const key = keyOf(one);
    const before = Object.hasOwn(last, key) ? last[key] : undefined;
    const inside = one.zone !== null && isInside(one.schedule, one.zone, now);
    if (before !== undefined && before !== inside && !Object.hasOwn(state, key)) {
      const { schedule_id, site_id } = one;
      happenings.push({ type: 'schedule', schedule_id, site_id, event: inside ? 'enter' : 'exit' });
    }
    state[key] = inside;
  }
  return { state, happenings };
};
