import type { DeviceId } from '@lintel/access-core/ids';
import type { ConnectedDevicesMqttMessage } from '@lintel/wire-protocol/mqtt/messages/connected-devices';
import { sql } from 'kysely';
import { buildIdInExpression } from '../../../queries/sql-conditions.ts';
import { findRow } from '../../../transactions/row-operations.ts';
import type { WriteContext } from '../../../transactions/organization-writer.ts';
import { endStoredSessions } from '../end-stored-sessions.ts';
import { acceptUplinkCounter } from '../uplink-replay-protection.ts';
import type { ActiveDeviceSession, UplinkMessageOrigin } from '../../device-session-registry.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

const GATEWAY_PRODUCT = 'gateway';

/** Ignores devices that are not claimed or belong to another site. */
const claimedDevicesAmong = async (
  { services }: UplinkDependencies,
  { db }: WriteContext,
  siteId: string,
  ids: readonly string[],
) => {
  const { rows } = await sql<{
    id: DeviceId;
  }>`select d.id from devices as d join device_links as l on l.device_id = d.id
    where d.site_id = ${siteId} and d.is_deleted = 0
      and ${buildIdInExpression(services.storage.engine, sql`d.id`, ids)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
};

/** The message lists all devices that are connected through the gateway. Ends the sessions of those no longer listed. */
export const handleConnectedDevices = async (
  uplink: UplinkDependencies,
  gateway: DeviceId,
  message: ConnectedDevicesMqttMessage,
  { order }: UplinkMessageOrigin,
  counter: number,
): Promise<string | null> => {
  const { services, sessions, gateways, technicians } = uplink;
  const session = sessions.of(gateway);
  if (session === undefined) return 'no session';
  let ended: readonly ActiveDeviceSession[] = [];
  const rejection = await services.writer.write(session.organizationId, { device_id: gateway }, async context => {
    if (!(await acceptUplinkCounter(context, gateway, 'connected-devices', counter))) return 'replayed';
    const gatewayRow = await findRow(context, 'devices', gateway);
    if (gatewayRow?.product_id !== GATEWAY_PRODUCT) return 'the device is not a gateway';
    const connected = await claimedDevicesAmong(uplink, context, gatewayRow.site_id, message.devices);
    const disconnected = gateways.setConnected(gateway, session.organizationId, connected);
    for (const id of connected) {
      await context.db.updateTable('devices').set({ gateway_id: gateway }).where('id', '=', id).execute();
    }
    for (const id of disconnected) {
      await context.db
        .updateTable('devices')
        .set({ gateway_id: null })
        .where('id', '=', id)
        .where('gateway_id', '=', gateway)
        .execute();
    }
    // A device may have connected through another path, or again through the gateway, since this message.
    ended = disconnected
      .filter(id => sessions.wasOpenedVia(id, { from: gateway, order }))
      .flatMap(id => sessions.of(id) ?? []);
    for (const { deviceId } of ended) sessions.close(deviceId);
    await endStoredSessions(context, ended);
    return null;
  });
  for (const endedSession of ended) technicians.endRequests(endedSession);
  return rejection;
};
