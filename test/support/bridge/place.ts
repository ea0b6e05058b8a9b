import { createDevice } from '@lintel/cloud-bridge/resources/devices';
import { createSite } from '@lintel/cloud-bridge/resources/sites';
import type { WriteContext } from '@lintel/cloud-bridge/writing/writer';
import type { DeviceCreate } from '@lintel/wire-protocol/rest/device';
import type { GadgetCreate } from '@lintel/wire-protocol/rest/gadget';
import type { SiteCreate } from '@lintel/wire-protocol/rest/site';
import type { BridgeWorld, OrganizationClient } from './bridge-world.ts';

/** What the administration does, done directly: the public API makes no sites, devices or gadgets. */
export const administer = <T>(
  world: BridgeWorld,
  client: OrganizationClient,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> => world.bridge.services.writer.write(client.organizationId, {}, work);

export const aSite = async (world: BridgeWorld, client: OrganizationClient, given: Partial<SiteCreate> = {}) =>
  (
    await administer(world, client, context =>
      createSite(context, { name: 'Main', timezone: 'Europe/Madrid', ...given }),
    )
  ).id as DeviceCreate['site_id'];

export const door: GadgetCreate = {
  name: 'Front door',
  actions: [
    { id: 'open', name: 'Open' },
    { id: 'hold', name: 'Hold open' },
  ],
  states: [{ id: 'unlocked', name: 'Unlocked' }],
  signals: [{ id: 'forced', name: 'Forced' }],
};

/** A virtual device with one door, unless told otherwise. */
export const aDevice = async (
  world: BridgeWorld,
  client: OrganizationClient,
  given: Partial<DeviceCreate> & Pick<DeviceCreate, 'site_id'>,
) => {
  const form: DeviceCreate = { name: 'Controller', product_id: 'virtual', gadgets: [door], ...given };
  const { device, gadgets } = await administer(world, client, context => createDevice(context, form));
  return { deviceId: device.id, gadgetIds: gadgets.map(({ id }) => id), gadgetId: gadgets[0]?.id ?? '' };
};

/** A site with a device and a door. */
export const aDoor = async (world: BridgeWorld, client: OrganizationClient, given: Partial<SiteCreate> = {}) => {
  const siteId = await aSite(world, client, given);
  return { siteId, ...(await aDevice(world, client, { site_id: siteId })) };
};
