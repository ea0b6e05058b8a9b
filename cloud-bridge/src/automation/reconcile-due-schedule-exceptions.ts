import {
  computeScheduleExceptionPeriod,
  computeLastDateWithBegunPeriod,
} from '../resources/schedule-exception-period.ts';
import { reconcileScheduleExceptions, removeExceptionsOfDeletedSchedule } from '../resources/schedule-exceptions.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { systemActor } from '../transactions/actor.ts';
import { findRow } from '../transactions/row-operations.ts';

/** Begins and ends the exceptions of schedules. Called periodically, by any number of bridges. */
export const reconcileDueScheduleExceptions = async ({
  storage,
  writer,
  clock,
}: Pick<BridgeServices, 'storage' | 'writer' | 'clock'>): Promise<void> => {
  const now = clock();
  const rows = await storage.reader
    .selectFrom('schedule_exceptions')
    .select(['organization_id', 'schedule_id', 'date', 'replaced_ranges'])
    .where('date', '<=', computeLastDateWithBegunPeriod(now))
    .execute();
  const due = rows.filter(({ date, replaced_ranges }) => {
    const { from, until } = computeScheduleExceptionPeriod(date);
    return now >= until || (replaced_ranges === null && now >= from);
  });
  const organizations = new Map(due.map(({ schedule_id, organization_id }) => [schedule_id, organization_id]));
  for (const [scheduleId, organizationId] of organizations)
    await writer.write(organizationId, systemActor, async context => {
      const schedule = await findRow(context, 'schedules', scheduleId);
      if (schedule?.is_deleted === 0) await reconcileScheduleExceptions(context, scheduleId);
      else await removeExceptionsOfDeletedSchedule(context, scheduleId);
    });
};
