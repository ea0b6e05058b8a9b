import { instant } from '@lintel/access-core/instant';
import { compileSchedule, isInsideSchedule } from '@lintel/access-core/schedule';
import { resolveTimeZone } from '@lintel/access-core/time-zone';
import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import type { GadgetActionGrant } from '../access/describe-access-by-door.ts';

interface Moment {
  readonly now: number;
  /** The time zone of the site. */
  readonly zone: string;
  readonly schedules: readonly Pick<ScheduleResponse, 'id' | 'weekdays'>[];
}

/** Whether the grant applies at this moment: inside its dates and all of its schedules. */
export const isGrantedNow = (
  { starts_at, ends_at, schedule_ids }: Pick<GadgetActionGrant, 'starts_at' | 'ends_at' | 'schedule_ids'>,
  { now, zone, schedules }: Moment,
): boolean => {
  if (starts_at !== null && Date.parse(starts_at) > now) return false;
  if (ends_at !== null && Date.parse(ends_at) <= now) return false;
  const timeZone = resolveTimeZone(zone);
  return schedule_ids.every(id => {
    const schedule = schedules.find(one => one.id === id);
    if (schedule === undefined || !timeZone.ok) return false;
    return isInsideSchedule(compileSchedule(schedule.weekdays), timeZone.value, instant(now));
  });
};
