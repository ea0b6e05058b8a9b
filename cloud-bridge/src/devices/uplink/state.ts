import type { DeviceId } from '@lintel/access-core/ids';
import type { State } from '@lintel/wire-protocol/mqtt/messages/state';
import type { Status } from '@lintel/wire-protocol/mqtt/messages/status';
import { idsOf, livingGadgetsOf } from '../../resources/device-constraints.ts';
import { updateRow } from '../../transactions/rows.ts';
import { notePage } from '../remote-technician/technician-pages.ts';
import { reportStatus } from './device-status.ts';
import type { UplinkDesk } from './uplink-desk.ts';

const organizationOf = async ({ services }: UplinkDesk, device: DeviceId): Promise<string | null> => {
  const link = await services.storage.reader
    .selectFrom('device_links')
    .select('organization_id')
    .where('device_id', '=', device)
    .executeTakeFirst();
  return link?.organization_id ?? null;
};

/** How a gadget came into its state is told by an event of the controller; here it is only known. */
export const handleState = async (desk: UplinkDesk, device: DeviceId, { gadgets }: State): Promise<string | null> => {
  const organizationId = await organizationOf(desk, device);
  if (organizationId === null) return 'the device is not claimed';
  await desk.services.writer.write(organizationId, { device_id: device }, async context => {
    const own = new Map((await livingGadgetsOf(context, device)).map(gadget => [gadget.id, gadget]));
    for (const { gadget_id, state_id } of gadgets) {
      const gadget = own.get(gadget_id);
      if (gadget === undefined || !idsOf(gadget.states).includes(state_id)) continue;
      await updateRow(context, 'gadgets', gadget, { state_id });
    }
  });
  return null;
};

export const handleStatus = async (desk: UplinkDesk, device: DeviceId, status: Status): Promise<string | null> => {
  const organizationId = await organizationOf(desk, device);
  if (organizationId === null) return 'the device is not claimed';
  await desk.services.writer.write(organizationId, { device_id: device }, async context => {
    await reportStatus(context, device, status);
    await notePage(context, device, status.technician);
  });
  return null;
};
