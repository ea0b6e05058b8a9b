import type { DeviceId } from '@lintel/access-core/ids';
import type { GadgetStatesMqttMessage } from '@lintel/wire-protocol/mqtt/messages/gadget-states';
import type { DeviceStatusMqttMessage } from '@lintel/wire-protocol/mqtt/messages/device-status';
import { parseIdsOfJsonObjects, listActiveGadgetsOfDevice } from '../../../resources/read-gadget-rows.ts';
import type { WriteContext } from '../../../transactions/organization-writer.ts';
import { updateRow } from '../../../transactions/row-operations.ts';
import { storeTechnicianPageAddress } from '../../remote-technician/store-technician-page-address.ts';
import type { UplinkMessageOrigin } from '../../device-session-registry.ts';
import { applyStatusReport } from '../update-device-status.ts';
import { acceptUplinkCounter } from '../uplink-replay-protection.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

const organizationOf = async ({ services }: UplinkDependencies, device: DeviceId): Promise<string | null> => {
  const link = await services.storage.reader
    .selectFrom('device_links')
    .select('organization_id')
    .where('device_id', '=', device)
    .executeTakeFirst();
  return link?.organization_id ?? null;
};

/** Writes a report unless it is older than one that was written before. */
const writeReport = async (
  uplink: UplinkDependencies,
  device: DeviceId,
  kind: 'state' | 'status',
  counter: number,
  write: (context: WriteContext) => Promise<void>,
): Promise<string | null> => {
  const organizationId = await organizationOf(uplink, device);
  if (organizationId === null) return 'the device is not claimed';
  return uplink.services.writer.write(organizationId, { device_id: device }, async context => {
    if (!(await acceptUplinkCounter(context, device, kind, counter))) return 'replayed';
    await write(context);
    return null;
  });
};

/** Stores gadget states without an event: the controller sends the event separately. */
export const handleGadgetStates = (
  uplink: UplinkDependencies,
  device: DeviceId,
  { gadgets }: GadgetStatesMqttMessage,
  _: UplinkMessageOrigin,
  counter: number,
): Promise<string | null> =>
  writeReport(uplink, device, 'state', counter, async context => {
    const own = new Map((await listActiveGadgetsOfDevice(context, device)).map(gadget => [gadget.id, gadget]));
    for (const { gadget_id, state_id } of gadgets) {
      const gadget = own.get(gadget_id);
      if (gadget === undefined || !parseIdsOfJsonObjects(gadget.states).includes(state_id)) continue;
      await updateRow(context, 'gadgets', gadget, { state_id });
    }
  });

export const handleDeviceStatus = (
  uplink: UplinkDependencies,
  device: DeviceId,
  status: DeviceStatusMqttMessage,
  _: UplinkMessageOrigin,
  counter: number,
): Promise<string | null> =>
  writeReport(uplink, device, 'status', counter, async context => {
    await applyStatusReport(context, device, status);
    await storeTechnicianPageAddress(context, device, status.technician);
  });
