import type { ReplaceDeviceHardwareRequest } from '@lintel/wire-protocol/admin/device-edits';
import type { DeviceRow } from '../storage/schema.ts';
import { updateRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { revokeDeviceCertificates } from './device-certificates.ts';
import { editDevice } from './devices.ts';
import { isGatewayDevice } from './gateway-and-virtual-devices.ts';

/** Events that the old controller has not sent never arrive: it may not connect any more. */
const logReplacedController = async (context: WriteContext, device: DeviceRow): Promise<void> => {
  const { id: device_id, site_id } = device;
  const link = await context.db
    .selectFrom('device_links')
    .select('event_sequence')
    .where('device_id', '=', device_id)
    .executeTakeFirst();
  if (link === undefined || isGatewayDevice(device)) return;
  const object = { type: 'device', device_id, site_id };
  const details = { last_received: String(link.event_sequence) };
  context.log({ verb: 'edit', reason: 'controller_replaced', object, details });
};

/**
 * Replaces the hardware of a device. The device keeps its id, gadgets and input rules. Status and connection of the old
 * hardware are reset.
 */
export const replaceDeviceHardware = async (
  context: WriteContext,
  device: DeviceRow,
  { hardware_id, revision_id }: ReplaceDeviceHardwareRequest,
): Promise<DeviceRow> => {
  const { id: device_id, site_id, hardware_id: oldHardwareId } = device;
  if (oldHardwareId === hardware_id) return device;
  await revokeDeviceCertificates(context, device_id);
  await logReplacedController(context, device);
  if (oldHardwareId !== null) {
    context.log({ verb: 'delete', object: { type: 'hardware', hardware_id: oldHardwareId, device_id, site_id } });
  }
  const edited = await editDevice(context, device_id, {
    hardware_id,
    ...(revision_id === undefined ? {} : { revision_id }),
  });
  // The new hardware reports its own states.
  await context.db.updateTable('gadgets').set({ state_id: null }).where('device_id', '=', device_id).execute();
  context.log({ verb: 'create', object: { type: 'hardware', hardware_id, device_id, site_id } });
  return updateRow(context, 'devices', edited, { gateway_id: null });
};
