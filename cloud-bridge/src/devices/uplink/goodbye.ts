import type { UplinkDesk } from './uplink-desk.ts';
import type { Origin } from '../sessions.ts';
import { setOnline } from './device-status.ts';

/**
 * The controller is gone, and whatever hung on it as a gateway with it. With a nonce only that session ends: a later one
 * of the same controller goes on. Without one a connection has ended, and with it the session that came by it.
 */
export const handleGoodbye = async (
  desk: UplinkDesk,
  deviceId: string,
  nonce: string | null,
  { order }: Origin,
): Promise<void> => {
  const { services, sessions, gateways } = desk;
  const link = await services.storage.reader
    .selectFrom('device_links')
    .select(['organization_id', 'session_nonce'])
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  if (link === undefined || link.session_nonce === null || (nonce !== null && link.session_nonce !== nonce)) return;
  const byIt = { from: deviceId, order };
  if (nonce === null && sessions.of(deviceId) !== undefined && !sessions.cameBy(deviceId, byIt)) return;
  const carried = gateways.leave(deviceId).filter(id => sessions.cameBy(id, byIt));
  for (const id of [deviceId, ...carried]) sessions.close(id);
  await services.writer.write(link.organization_id, { device_id: deviceId }, async context => {
    for (const id of [deviceId, ...carried]) {
      await context.db.updateTable('device_links').set({ session_nonce: null }).where('device_id', '=', id).execute();
      await setOnline(context, id, false);
    }
  });
};
