import { instant } from '@lintel/access-core/instant';
import { type DeviceHealthRecord, deviceHealthResponse } from '@lintel/wire-protocol/admin/device-health';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { StoredHealthRecord } from '../../devices/uplink/health-records.ts';
import type { BridgeServices } from '../../services.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

export const deviceHealthEndpoint = ({ storage }: BridgeServices): AdminEndpoint =>
  defineAdminEndpoint({
    requiredPermission: 'devices.read',
    method: 'GET',
    path: `${ORGANIZATION_PATH_PREFIX}/devices/:device_id/health`,
    tag: 'Devices',
    operationId: 'getDeviceHealth',
    summary: 'Get the faults and the power of a device during the last 30 days',
    response: deviceHealthResponse,
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
          ...(JSON.parse(record) as StoredHealthRecord),
        }),
      );
      return { device_id: id, records };
    },
  });
