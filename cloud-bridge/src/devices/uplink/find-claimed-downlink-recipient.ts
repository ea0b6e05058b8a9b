import type { DeviceId } from '@lintel/access-core/ids';
import type { DownlinkRecipient } from '../downlink/downlink-sender.ts';
import type { UplinkDependencies } from './uplink-dependencies.ts';

/** Works without a session: a gateway may deliver stored messages of a controller that is offline. */
export const findClaimedDownlinkRecipient = async (
  { services }: Pick<UplinkDependencies, 'services'>,
  deviceId: DeviceId,
): Promise<DownlinkRecipient | null> => {
  const row = await services.deviceRows.links.load(deviceId);
  if (row === undefined) return null;
  return { deviceId, organizationId: row.organization_id as DownlinkRecipient['organizationId'], serial: row.serial };
};
