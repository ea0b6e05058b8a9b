import type { CreateScheduleRequest, EditScheduleRequest } from '@lintel/wire-protocol/rest/schedule';
import type { ScheduleRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

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

/** Keeps rules that refer to the schedule, but they no longer grant access. */
export const deleteSchedule = (context: WriteContext, id: string): Promise<ScheduleRow> =>
  schedules.delete(context, id);
