import type { EventReason } from '@lintel/wire-protocol/rest/event-reasons';
import { isGatewayDevice } from '../resources/gateway-and-virtual-devices.ts';
import { findRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

const reasons: Readonly<Record<string, EventReason>> = { confirmed: 'updated', rolled_back: 'update_rolled_back' };

/** Logs the update of a gateway. Controllers log theirs, but gateways do not send events. */
export const recordGatewayUpdateEvent = async (
  context: WriteContext,
  deviceId: string,
  state: string,
): Promise<void> => {
  const reason = reasons[state];
  const device = reason === undefined ? undefined : await findRow(context, 'devices', deviceId);
  if (reason === undefined || device === undefined || !isGatewayDevice(device)) return;
  context.log({ verb: 'edit', object: { type: 'device', device_id: device.id, site_id: device.site_id }, reason });
};
