import { instant } from '@lintel/access-core/instant';
import { type DeviceHealthRecord, deviceHealthResponseSchema } from '@lintel/wire-protocol/admin/device-health-history';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { StoredDeviceHealth } from '../../devices/uplink/device-health-records.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

export const createDeviceHealthEndpoint = ({ storage }: BridgeServices): AdminEndpoint =>
  defineAdminEndpoint({
    requiredPermission: 'devices.read',
    method: 'GET',
    path: `${ORGANIZATION_PATH_PREFIX}/devices/:device_id/health`,
    tag: 'Devices',
    operationId: 'getDeviceHealth',
    summary: 'Get the faults and the power of a device during the last 30 days',
    response: deviceHealthResponseSchema,
    handle: async ({ caller, reader, params: { device_id: id = '' } }) => {
      await reader.get('device', caller, id);
      const rows = await storage.reader
        .selectFrom('device_health')
        .select(['at', 'record'])
        .where('device_id', '=', id)
        .orderBy('at')
        .execute();
      const records = rows.map(
        ({ at, record }): DeviceHealthRecord => ({
          at: toDateTime(instant(at)),
          ...(JSON.parse(record) as StoredDeviceHealth),
        }),
      );
      return { device_id: id, records };
    },
  });
