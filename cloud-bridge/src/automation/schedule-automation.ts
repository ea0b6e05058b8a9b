import type { ScheduleId, SiteId } from '@lintel/access-core/ids';
import { compileSchedule, type Weekdays } from '@lintel/access-core/schedule';
import { zoneFor } from '@lintel/access-core/time-zone';
import { type ScheduleWatch, watchSchedules, type WatchedSchedule } from '@lintel/access-core/triggers/schedule-watch';
import type { Services } from '../services.ts';
import type { Storage } from '../storage/open-storage.ts';
import { system } from '../transactions/actor.ts';
import type { WriteContext } from '../transactions/writer.ts';
import type { VirtualTriggers } from './virtual-triggers.ts';

interface Candidate {
  readonly organization_id: string;
  readonly site_id: string;
  readonly schedule_id: string;
  readonly weekdays: string;
  readonly timezone: string | null;
  readonly is_inside: 0 | 1 | null;
}

/** Every schedule at every site where a trigger of a virtual device waits for it. */
const candidates = ({ reader }: Storage): Promise<Candidate[]> =>
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

const watchedOf = ({ schedule_id, site_id, weekdays, timezone }: Candidate): WatchedSchedule => {
  const zone = timezone === null ? null : zoneFor(timezone);
  return {
    schedule_id: schedule_id as ScheduleId,
    site_id: site_id as SiteId,
    schedule: compileSchedule(JSON.parse(weekdays) as Weekdays),
    zone: zone?.ok === true ? zone.value : null,
  };
};

const lastLook = ({ site_id, schedule_id }: Candidate, isInside: 0 | 1 | null | undefined): ScheduleWatch =>
  isInside == null ? {} : { [`${site_id}/${schedule_id}`]: isInside === 1 };

const isInsideIn = (watch: ScheduleWatch): 0 | 1 => (Object.values(watch)[0] === true ? 1 : 0);

/** Looked at again under the organization's lock: of several bridges one makes the change. */
const change = async (context: WriteContext, candidate: Candidate, triggers: VirtualTriggers): Promise<void> => {
  const { db, organizationId, now } = context;
  const { site_id, schedule_id } = candidate;
  const kept = await db
    .selectFrom('schedule_watches')
    .select('is_inside')
    .where('site_id', '=', site_id)
    .where('schedule_id', '=', schedule_id)
    .executeTakeFirst();
  const looked = watchSchedules([watchedOf(candidate)], lastLook(candidate, kept?.is_inside), now);
  const is_inside = isInsideIn(looked.state);
  await db
    .insertInto('schedule_watches')
    .values({ site_id, schedule_id, organization_id: organizationId, is_inside })
    .onConflict(conflict => conflict.columns(['site_id', 'schedule_id']).doUpdateSet({ is_inside }))
    .execute();
  for (const happening of looked.happenings) {
    if (happening.type === 'schedule') await triggers.scheduleChanged(context, happening);
  }
};

/** Forgets schedules that no trigger uses, so that a later trigger starts from the current state. */
const forgetUnwatched = async ({ writer, reader }: Storage, watched: readonly Candidate[]): Promise<void> => {
  const known = new Set(watched.map(({ site_id, schedule_id }) => `${site_id}/${schedule_id}`));
  const rows = await reader.selectFrom('schedule_watches').select(['site_id', 'schedule_id']).execute();
  for (const { site_id, schedule_id } of rows) {
    if (known.has(`${site_id}/${schedule_id}`)) continue;
    await writer
      .deleteFrom('schedule_watches')
      .where('site_id', '=', site_id)
      .where('schedule_id', '=', schedule_id)
      .execute();
  }
};

type AutomationServices = Pick<Services, 'storage' | 'writer' | 'clock'>;

/** Fires the triggers of virtual devices that wait for a schedule. To be called again and again. */
export const lookAtSchedules = async (services: AutomationServices, triggers: VirtualTriggers): Promise<void> => {
  const { storage, writer, clock } = services;
  const watched = await candidates(storage);
  for (const candidate of watched) {
    const last = lastLook(candidate, candidate.is_inside);
    const { state } = watchSchedules([watchedOf(candidate)], last, clock());
    if (candidate.is_inside === isInsideIn(state)) continue;
    await writer.write(candidate.organization_id, system, context => change(context, candidate, triggers));
  }
  await forgetUnwatched(storage, watched);
};
