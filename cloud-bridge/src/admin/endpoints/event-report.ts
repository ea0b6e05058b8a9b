import { eventReportResponseSchema } from '@lintel/wire-protocol/admin/event-report';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

/** Not in the event itself, whose fields the specification of the public API lists. */
export const createEventReportEndpoint = ({ storage }: BridgeServices): AdminEndpoint =>
  defineAdminEndpoint({
    requiredPermission: 'events.read',
    method: 'GET',
    path: `${ORGANIZATION_PATH_PREFIX}/events/:event_id/report`,
    tag: 'Events',
    operationId: 'getEventReport',
    summary: 'Get the controller that reported an event',
    response: eventReportResponseSchema,
    handle: async ({ caller, reader, params: { event_id: id = '' } }) => {
      await reader.get('event', caller, id);
      const row = await storage.reader
        .selectFrom('events as e')
        .leftJoin('devices as d', 'd.id', 'e.reported_by')
        .select(['e.reported_by', 'd.name as device_name'])
        .where('e.id', '=', id)
        .executeTakeFirstOrThrow();
      return { event_id: id, ...row };
    },
  });
