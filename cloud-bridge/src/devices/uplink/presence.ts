import type { DeviceId } from '@lintel/access-core/ids';
import type { Presence } from '@lintel/wire-protocol/mqtt/messages/presence';
import { sql } from 'kysely';
import { isAmong } from '../../queries/conditions.ts';
import { findRow } from '../../transactions/rows.ts';
import type { WriteContext } from '../../transactions/writer.ts';
import { setOnline } from './device-status.ts';
import type { Origin } from '../sessions.ts';
import type { UplinkDesk } from './uplink-desk.ts';

const GATEWAY_PRODUCT = 'gateway';

/** A gateway speaks for the claimed devices of its own site. */
const devicesOf = async ({ services }: UplinkDesk, { db }: WriteContext, siteId: string, ids: readonly string[]) => {
  const { rows } = await sql<{
    id: DeviceId;
  }>`select d.id from devices as d join device_links as l on l.device_id = d.id
    where d.site_id = ${siteId} and d.is_deleted = 0
      and ${isAmong(services.storage.engine, sql`d.id`, ids)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
};

/** Whoever is named hangs on the gateway; whoever hung on it and is not named any more is gone. */
export const handlePresence = async (
  desk: UplinkDesk,
  gateway: DeviceId,
  presence: Presence,
  { order }: Origin,
): Promise<string | null> => {
  const { services, sessions, gateways } = desk;
  const session = sessions.of(gateway);
  if (session === undefined) return 'there is no session';
  return services.writer.write(session.organizationId, { device_id: gateway }, async context => {
    const own = await findRow(context, 'devices', gateway);
    if (own?.product_id !== GATEWAY_PRODUCT) return 'it is no gateway';
    const named = await devicesOf(desk, context, own.site_id, presence.devices);
    const gone = gateways.carry(gateway, session.organizationId, named);
    for (const id of named) {
      await context.db.updateTable('devices').set({ gateway_id: gateway }).where('id', '=', id).execute();
    }
    for (const id of gone) {
      await context.db
        .updateTable('devices')
        .set({ gateway_id: null })
        .where('id', '=', id)
        .where('gateway_id', '=', gateway)
        .execute();
      // It may be connected another way by now, or have come back to the gateway since this was said.
      if (!sessions.cameBy(id, { from: gateway, order })) continue;
      sessions.close(id);
      await context.db.updateTable('device_links').set({ session_nonce: null }).where('device_id', '=', id).execute();
      await setOnline(context, id, false);
    }
    return null;
  });
};
