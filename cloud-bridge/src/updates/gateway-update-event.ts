import { isGateway } from '../resources/device-constraints.ts';
import { findRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';

const reasons: Readonly<Record<string, string>> = { confirmed: 'updated', rolled_back: 'update_rolled_back' };

/** A controller tells of its update among its events. A gateway has none of its own: it is written down for it. */
export const noteGatewayUpdate = async (context: WriteContext, deviceId: string, state: string): Promise<void> => {
  const reason = reasons[state];
  const device = reason === undefined ? undefined : await findRow(context, 'devices', deviceId);
  if (reason === undefined || device === undefined || !isGateway(device)) return;
  context.log({ verb: 'edit', object: { type: 'device', device_id: device.id, site_id: device.site_id }, reason });
};
