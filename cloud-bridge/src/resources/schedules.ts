import type { ScheduleCreate, ScheduleEdit } from '@lintel/wire-protocol/rest/schedule';
import type { ScheduleRow } from '../storage/schema.ts';
import { Resource } from '../transactions/resource.ts';
import type { WriteContext } from '../transactions/writer.ts';

const schedules = new Resource('schedule', 'schedules');

export const createSchedule = (context: WriteContext, body: ScheduleCreate): Promise<ScheduleRow> =>
  schedules.create(context, body, { name: body.name, weekdays: JSON.stringify(body.weekdays) });

export const editSchedule = async (context: WriteContext, id: string, body: ScheduleEdit): Promise<ScheduleRow> =>
  schedules.edit(context, await schedules.requireLiving(context, id), body, {
    name: body.name,
    weekdays: body.weekdays && JSON.stringify(body.weekdays),
  });

/** Rules that refer to it stay, and grant nothing from now on. */
export const deleteSchedule = (context: WriteContext, id: string): Promise<ScheduleRow> =>
  schedules.delete(context, id);
