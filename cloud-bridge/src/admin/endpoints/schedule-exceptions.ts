import type { TimeOfDayRange } from '@lintel/access-core/schedule';
import {
  type ScheduleExceptionResponse,
  scheduleExceptionResponseSchema,
  scheduleExceptionsResponseSchema,
  setScheduleExceptionRequestSchema,
} from '@lintel/wire-protocol/admin/schedule-exception';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { computeScheduleExceptionPeriod } from '../../resources/schedule-exception-period.ts';
import { deleteScheduleException, setScheduleException } from '../../resources/schedule-exceptions.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { ScheduleExceptionRow } from '../../storage/schedule-exception-and-device-health-schema.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

const toResponse = (row: ScheduleExceptionRow): ScheduleExceptionResponse => {
  const { from, until } = computeScheduleExceptionPeriod(row.date);
  return {
    schedule_id: row.schedule_id as ScheduleExceptionResponse['schedule_id'],
    date: row.date,
    name: row.name,
    ranges: JSON.parse(row.ranges) as TimeOfDayRange[],
    applies_from: toDateTime(from),
    applies_until: toDateTime(until),
    is_applied: row.replaced_ranges !== null,
    replaced_ranges: row.replaced_ranges === null ? null : (JSON.parse(row.replaced_ranges) as TimeOfDayRange[]),
  };
};

/** The times of a schedule on single dates. */
export const createScheduleExceptionEndpoints = ({ storage }: BridgeServices): AdminEndpoint[] => {
  const list = `${ORGANIZATION_PATH_PREFIX}/schedules/:schedule_id/exceptions`;
  const common = { tag: 'Schedules', response: scheduleExceptionResponseSchema, path: `${list}/:date` } as const;
  return [
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'schedules.read',
      method: 'GET',
      path: list,
      operationId: 'listScheduleExceptions',
      summary: 'List the dates on which a schedule has other times',
      response: scheduleExceptionsResponseSchema,
      handle: async ({ caller, reader, params: { schedule_id: id = '' } }) => {
        await reader.get('schedule', caller, id);
        const rows = await storage.reader
          .selectFrom('schedule_exceptions')
          .selectAll()
          .where('schedule_id', '=', id)
          .orderBy('date')
          .execute();
        return { items: rows.map(toResponse) };
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'schedules.write',
      method: 'PUT',
      operationId: 'setScheduleException',
      summary: 'Set the times of a schedule on one date',
      body: setScheduleExceptionRequestSchema,
      handle: async call => {
        const { schedule_id: id = '', date = '' } = call.params;
        return toResponse(await writeAsCaller(call, context => setScheduleException(context, id, date, call.body)));
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'schedules.write',
      method: 'DELETE',
      operationId: 'deleteScheduleException',
      summary: 'Delete the times of a schedule on one date',
      handle: async call => {
        const { schedule_id: id = '', date = '' } = call.params;
        return toResponse(await writeAsCaller(call, context => deleteScheduleException(context, id, date)));
      },
    }),
  ];
};
