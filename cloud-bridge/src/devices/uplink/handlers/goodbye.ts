import type { UplinkDependencies } from '../uplink-dependencies.ts';
import type { UplinkMessageOrigin } from '../../device-session-registry.ts';
import { endStoredSessions } from '../end-stored-sessions.ts';

/**
 * Ends the session of the device and, for a gateway, of all devices connected through it. With a nonce, ends only that
 * session and not a newer one. Without a nonce, a connection was lost: ends the session that was opened through it.
 */
export const handleGoodbye = async (
  uplink: UplinkDependencies,
  deviceId: string,
  nonce: string | null,
  { order }: UplinkMessageOrigin,
): Promise<void> => {
  const { services, sessions, gateways, technicians } = uplink;
  const link = await services.deviceRows.links.load(deviceId);
  if (link === undefined || link.session_nonce === null || (nonce !== null && link.session_nonce !== nonce)) return;
  const connection = { from: deviceId, order };
  if (nonce === null && sessions.of(deviceId) !== undefined && !sessions.wasOpenedVia(deviceId, connection)) return;
  const connectedSessions = gateways
    .disconnectGateway(deviceId)
    .filter(id => sessions.wasOpenedVia(id, connection))
    .flatMap(id => sessions.of(id) ?? []);
  const ended = [{ deviceId, nonce: link.session_nonce }, ...connectedSessions];
  for (const session of ended) sessions.close(session.deviceId);
  await services.writer.write(link.organization_id, { device_id: deviceId }, async context => {
    await endStoredSessions(context, ended);
  });
  for (const session of ended) technicians.endRequests(session);
};
