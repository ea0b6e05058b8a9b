import type { DeviceReplacement } from '@lintel/wire-protocol/admin/device';
import type { DeviceRow } from '../storage/schema.ts';
import { updateRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { revokeCertificates } from './device-certificates.ts';
import { editDevice } from './devices.ts';

/**
 * New hardware in the place of the old: the device keeps its id, its gadgets and its rules. What is known of the old
 * hardware's state and line is forgotten.
 */
export const replaceDeviceHardware = async (
  context: WriteContext,
  device: DeviceRow,
  { hardware_id, revision_id }: DeviceReplacement,
): Promise<DeviceRow> => {
  const { id: device_id, site_id, hardware_id: old } = device;
  if (old === hardware_id) return device;
  await revokeCertificates(context, device_id);
  if (old !== null) {
    context.log({ verb: 'delete', object: { type: 'hardware', hardware_id: old, device_id, site_id } });
  }
  const edited = await editDevice(context, device_id, {
    hardware_id,
    ...(revision_id === undefined ? {} : { revision_id }),
  });
  context.log({ verb: 'create', object: { type: 'hardware', hardware_id, device_id, site_id } });
  return updateRow(context, 'devices', edited, { gateway_id: null });
};
