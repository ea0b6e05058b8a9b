import type { CreateScheduleRequest, EditScheduleRequest } from '@lintel/wire-protocol/rest/schedule';
import { createInUseError } from '../http/api-error.ts';
import type { ScheduleRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { deleteGadgetTrigger } from './gadget-triggers.ts';

export const schedules = new ResourceWriter('schedule', 'schedules');

export const createSchedule = (context: WriteContext, body: CreateScheduleRequest): Promise<ScheduleRow> =>
  schedules.create(context, body, { name: body.name, weekdays: JSON.stringify(body.weekdays) });

export const editSchedule = async (
  context: WriteContext,
  id: string,
  body: EditScheduleRequest,
): Promise<ScheduleRow> =>
  schedules.edit(context, await schedules.requireActive(context, id), body, {
    name: body.name,
    weekdays: body.weekdays && JSON.stringify(body.weekdays),
  });

const findTriggersOf = (
  { db, organizationId }: WriteContext,
  scheduleId: string,
): Promise<readonly { readonly id: string }[]> =>
  db
    .selectFrom('gadget_triggers')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('source_schedule_id', '=', scheduleId)
    .where('is_deleted', '=', 0)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/**
 * Keeps permission rules that refer to the schedule, but they no longer grant access. Rejected while gadget triggers start from
 * it, unless `isForced` deletes those too.
 */
export const deleteSchedule = (context: WriteContext, id: string, { isForced = false } = {}): Promise<ScheduleRow> =>
  schedules.delete(context, id, async () => {
    const triggers = await findTriggersOf(context, id);
    if (triggers.length > 0 && !isForced)
      throw createInUseError(
        'schedule_id',
        triggers[0]!.id,
        triggers.map(trigger => `gadget trigger ${trigger.id}`),
      );
    for (const trigger of triggers) await deleteGadgetTrigger(context, trigger.id);
  });
