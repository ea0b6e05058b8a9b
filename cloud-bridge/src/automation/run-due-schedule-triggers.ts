import type { ScheduleId, SiteId } from '@lintel/access-core/ids';
import { compileSchedule, type WeeklyTimeRanges } from '@lintel/access-core/schedule';
import { resolveTimeZone } from '@lintel/access-core/time-zone';
import {
  type ScheduleStates,
  detectScheduleChanges,
  type WatchedSchedule,
} from '@lintel/access-core/triggers/detect-schedule-start-and-end';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { Storage } from '../storage/open-storage.ts';
import { systemActor } from '../transactions/actor.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { fireScheduleTriggers } from './virtual-gadgets.ts';

interface ScheduleAtSite {
  readonly organization_id: string;
  readonly site_id: string;
  readonly schedule_id: string;
  readonly weekdays: string;
  readonly timezone: string | null;
  readonly is_inside: 0 | 1 | null;
}

/** The schedules with a trigger of a virtual device, for each site. */
const loadSchedules = ({ reader }: Storage): Promise<ScheduleAtSite[]> =>
  reader
    .selectFrom('gadget_triggers as t')
    .innerJoin('gadgets as g', 'g.id', 't.target_gadget_id')
    .innerJoin('devices as d', 'd.id', 'g.device_id')
    .innerJoin('sites as p', 'p.id', 't.site_id')
    .innerJoin('schedules as s', 's.id', 't.source_schedule_id')
    .leftJoin('schedule_watches as w', join =>
      join.onRef('w.site_id', '=', 't.site_id').onRef('w.schedule_id', '=', 's.id'),
    )
    .select(['t.organization_id', 't.site_id', 's.id as schedule_id', 's.weekdays', 'p.timezone', 'w.is_inside'])
    .distinct()
    .where('t.source_type', '=', 'schedule')
    .where('t.is_deleted', '=', 0)
    .where('g.is_deleted', '=', 0)
    .where('d.is_deleted', '=', 0)
    .where('d.hardware_id', 'is', null)
    .where('s.is_deleted', '=', 0)
    .execute();

const toWatchedSchedule = ({ schedule_id, site_id, weekdays, timezone }: ScheduleAtSite): WatchedSchedule => {
  const zone = timezone === null ? null : resolveTimeZone(timezone);
  return {
    schedule_id: schedule_id as ScheduleId,
    site_id: site_id as SiteId,
    schedule: compileSchedule(JSON.parse(weekdays) as WeeklyTimeRanges),
    zone: zone?.ok === true ? zone.value : null,
  };
};

const toScheduleStates = (
  { site_id, schedule_id }: ScheduleAtSite,
  isInside: 0 | 1 | null | undefined,
): ScheduleStates => (isInside == null ? {} : { [`${site_id}/${schedule_id}`]: isInside === 1 });

const isInsideOf = (states: ScheduleStates): 0 | 1 => (Object.values(states)[0] === true ? 1 : 0);

/** False if the schedule was edited or deleted since it was read. The next run uses what it is now. */
const isUnchanged = async ({ db }: WriteContext, { schedule_id, weekdays }: ScheduleAtSite): Promise<boolean> => {
  const current = await db
    .selectFrom('schedules')
    .select(['weekdays', 'is_deleted'])
    .where('id', '=', schedule_id)
    .executeTakeFirst();
  return current?.is_deleted === 0 && current.weekdays === weekdays;
};

/**
 * Reads the schedule and its stored state again under the organization's lock, so that only one of several bridges fires
 * the triggers, and none fires them for times that no longer apply.
 */
const applyChange = async (context: WriteContext, schedule: ScheduleAtSite): Promise<void> => {
  if (!(await isUnchanged(context, schedule))) return;
  const { db, organizationId, now } = context;
  const { site_id, schedule_id } = schedule;
  const stored = await db
    .selectFrom('schedule_watches')
    .select('is_inside')
    .where('site_id', '=', site_id)
    .where('schedule_id', '=', schedule_id)
    .executeTakeFirst();
  const result = detectScheduleChanges(
    [toWatchedSchedule(schedule)],
    toScheduleStates(schedule, stored?.is_inside),
    now,
  );
  const is_inside = isInsideOf(result.state);
  await db
    .insertInto('schedule_watches')
    .values({ site_id, schedule_id, organization_id: organizationId, is_inside })
    .onConflict(conflict => conflict.columns(['site_id', 'schedule_id']).doUpdateSet({ is_inside }))
    .execute();
  for (const input of result.inputs) {
    if (input.type === 'schedule') await fireScheduleTriggers(context, input);
  }
};

/** Deletes the state of schedules without triggers, so that a later trigger starts from the current state. */
const deleteUnusedWatches = async ({ writer, reader }: Storage, watched: readonly ScheduleAtSite[]): Promise<void> => {
  const watchedKeys = new Set(watched.map(({ site_id, schedule_id }) => `${site_id}/${schedule_id}`));
  const rows = await reader.selectFrom('schedule_watches').select(['site_id', 'schedule_id']).execute();
  for (const { site_id, schedule_id } of rows) {
    if (watchedKeys.has(`${site_id}/${schedule_id}`)) continue;
    await writer
      .deleteFrom('schedule_watches')
      .where('site_id', '=', site_id)
      .where('schedule_id', '=', schedule_id)
      .execute();
  }
};

type ScheduleServices = Pick<BridgeServices, 'storage' | 'clock'> & {
  readonly writer: Pick<BridgeServices['writer'], 'write'>;
};

/** Fires the triggers of virtual devices whose schedule has started or ended. Called periodically. */
export const runDueScheduleTriggers = async (services: ScheduleServices): Promise<void> => {
  const { storage, writer, clock } = services;
  const watched = await loadSchedules(storage);
  for (const schedule of watched) {
    const last = toScheduleStates(schedule, schedule.is_inside);
    const { state } = detectScheduleChanges([toWatchedSchedule(schedule)], last, clock());
    if (schedule.is_inside === isInsideOf(state)) continue;
    await writer.write(schedule.organization_id, systemActor, context => applyChange(context, schedule));
  }
  await deleteUnusedWatches(storage, watched);
};
