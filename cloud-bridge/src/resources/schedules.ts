import type { ScheduleCreate, ScheduleEdit } from '@lintel/wire-protocol/rest/schedule';
import type { ScheduleRow } from '../storage/schema.ts';
import { insertRow, mergedMetadata, requireLivingRow, requireRow, updateRow } from '../writing/rows.ts';
import type { WriteContext } from '../writing/writer.ts';

const tellOf = (context: WriteContext, verb: 'create' | 'edit' | 'delete', id: string): void => {
  context.log({ verb, object: { type: 'schedule', schedule_id: id } });
  context.changed('schedule', id);
};

export const createSchedule = async (
  context: WriteContext,
  { name, weekdays, metadata }: ScheduleCreate,
): Promise<ScheduleRow> => {
  const row = await insertRow(context, 'schedules', {
    id: context.newId('schedule'),
    organization_id: context.organizationId,
    is_deleted: 0,
    created_at: context.now,
    metadata: JSON.stringify(metadata),
    name,
    weekdays: JSON.stringify(weekdays),
  });
  tellOf(context, 'create', row.id);
  return row;
};

export const editSchedule = async (context: WriteContext, id: string, body: ScheduleEdit): Promise<ScheduleRow> => {
  const row = await requireLivingRow(context, 'schedules', 'schedule', id);
  const edited = await updateRow(context, 'schedules', row, {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.weekdays === undefined ? {} : { weekdays: JSON.stringify(body.weekdays) }),
    ...(body.metadata === undefined ? {} : { metadata: mergedMetadata(row.metadata, body.metadata) }),
  });
  if (edited !== row) tellOf(context, 'edit', id);
  return edited;
};

/** Rules that refer to it stay, and grant nothing from now on. */
export const deleteSchedule = async (context: WriteContext, id: string): Promise<ScheduleRow> => {
  const row = await requireRow(context, 'schedules', 'schedule', id);
  if (row.is_deleted === 1) return row;
  const deleted = await updateRow(context, 'schedules', row, { is_deleted: 1 });
  tellOf(context, 'delete', id);
  return deleted;
};
