import type { DeviceId } from '@lintel/access-core/ids';
import type { DownlinkRecipient } from '../downlink/downlink-sender.ts';
import type { UplinkDependencies } from './uplink-dependencies.ts';

/** Works without a session: events have a queue of their own and may be handled before the hello. */
export const findClaimedDownlinkRecipient = async (
  { services }: Pick<UplinkDependencies, 'services'>,
  deviceId: DeviceId,
): Promise<DownlinkRecipient | null> => {
  const row = await services.deviceRows.links.load(deviceId);
  if (row === undefined) return null;
  return { deviceId, organizationId: row.organization_id as DownlinkRecipient['organizationId'], serial: row.serial };
};
