import type { DeviceId } from '@lintel/access-core/ids';
import type { Recipient } from '../downlink/downlink.ts';
import type { UplinkDesk } from './uplink-desk.ts';

/** What a gateway has kept for a controller is told and answered without a session: the controller may be away by then. */
export const claimedLink = async (
  { services }: Pick<UplinkDesk, 'services'>,
  deviceId: DeviceId,
): Promise<Recipient | null> => {
  const row = await services.storage.reader
    .selectFrom('device_links')
    .select(['organization_id', 'serial'])
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { deviceId, organizationId: row.organization_id as Recipient['organizationId'], serial: row.serial };
};
