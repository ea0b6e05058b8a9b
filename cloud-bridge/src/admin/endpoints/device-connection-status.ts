import { instant } from '@lintel/access-core/instant';
import { toDateTime, toDateTimeOrNull } from '@lintel/wire-protocol/schema-parts/date-time';
import {
  deviceConnectionResponseSchema,
  type WaitingControllerResponse,
} from '@lintel/wire-protocol/admin/device-connection';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { listWaitingControllers, type WaitingController } from '../../resources/controller-confirmation.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

const toWaitingControllerResponse = ({
  hardware_id,
  fingerprint,
  since,
  claimed_by,
  is_replacement,
}: WaitingController): WaitingControllerResponse => ({
  hardware_id: hardware_id as WaitingControllerResponse['hardware_id'],
  fingerprint,
  since: toDateTime(instant(since)),
  claimed_by,
  is_replacement,
});

export const createDeviceConnectionStatusEndpoint = ({ storage, clock }: BridgeServices): AdminEndpoint =>
  defineAdminEndpoint({
    requiredPermission: 'devices.read',
    method: 'GET',
    path: `${ORGANIZATION_PATH_PREFIX}/devices/:device_id/connection`,
    tag: 'Devices',
    operationId: 'getDeviceConnection',
    summary: 'Get the firmware, the last contact and the confirmed revision of a device',
    response: deviceConnectionResponseSchema,
    handle: async ({ caller, reader, params: { device_id: id = '' } }) => {
      await reader.get('device', caller, id);
      const row = await storage.reader
        .selectFrom('devices as d')
        .innerJoin('organizations as o', 'o.id', 'd.organization_id')
        .leftJoin('device_links as l', 'l.device_id', 'd.id')
        .leftJoin('device_sync as s', 's.device_id', 'd.id')
        .select(['d.gateway_id', 'o.revision as current_revision', 'l.firmware', 'l.seen_at', 'l.offline_since'])
        .select(['s.revision as served_revision', 's.served_at'])
        .where('d.id', '=', id)
        .executeTakeFirstOrThrow();
      const facts = { now: clock(), deviceId: id };
      const waiting = await listWaitingControllers(storage.reader, caller.organizationId, facts);
      return {
        device_id: id,
        ...row,
        seen_at: toDateTimeOrNull(row.seen_at),
        offline_since: toDateTimeOrNull(row.offline_since),
        served_at: toDateTimeOrNull(row.served_at),
        waiting: waiting.map(toWaitingControllerResponse),
      };
    },
  });
