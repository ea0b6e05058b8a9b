import type { ReplaceDeviceHardwareRequest } from '@lintel/wire-protocol/admin/device-edits';
import type { DeviceRow } from '../storage/schema.ts';
import { updateRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { revokeDeviceCertificates } from './device-certificates.ts';
import { editDevice } from './devices.ts';

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
