import type { ScheduleId, SiteId } from '../ids.ts';
import type { Instant } from '../instant.ts';
import { type CompiledSchedule, isInsideSchedule } from '../schedule.ts';
import type { TimeZone } from '../time-zone.ts';
import type { TriggerInput } from './compute-trigger-effects.ts';

/** A schedule used by a trigger of the site, in the site's time zone. Without a time zone it never matches. */
export interface WatchedSchedule {
  readonly schedule_id: ScheduleId;
  readonly site_id: SiteId;
  readonly schedule: CompiledSchedule;
  readonly zone: TimeZone | null;
}

/** Whether each watched schedule was active at the last check. Plain JSON, stored over restarts. */
export type ScheduleStates = Readonly<Record<string, boolean>>;

const keyOf = ({ site_id, schedule_id }: WatchedSchedule): string => `${site_id}/${schedule_id}`;

/**
 * Compares the current state with the last one. After a power loss, a difference from the stored state causes one
 * input; changes in between are not repeated. A schedule checked for the first time causes none. `now` is null while
 * the time is untrusted: then nothing changes.
 */
export const detectScheduleChanges = (
  watched: readonly WatchedSchedule[],
  last: ScheduleStates,
  now: Instant | null,
): { readonly state: ScheduleStates; readonly inputs: readonly TriggerInput[] } => {
  if (now === null) return { state: last, inputs: [] };
  const state: Record<string, boolean> = {};
  const inputs: TriggerInput[] = [];
  for (const one of watched) {
    const key = keyOf(one);
    const before = Object.hasOwn(last, key) ? last[key] : undefined;
    const inside = one.zone !== null && isInsideSchedule(one.schedule, one.zone, now);
    if (before !== undefined && before !== inside && !Object.hasOwn(state, key)) {
      const { schedule_id, site_id } = one;
      inputs.push({ type: 'schedule', schedule_id, site_id, event: inside ? 'enter' : 'exit' });
    }
    state[key] = inside;
  }
  return { state, inputs };
};
