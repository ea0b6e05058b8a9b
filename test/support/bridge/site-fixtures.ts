import { insertDevice, insertDeviceLink, insertSite } from '@lintel/cloud-bridge/testing';
import type { CreateDeviceRequest } from '@lintel/wire-protocol/rest/device';
import type { CreateGadgetRequest } from '@lintel/wire-protocol/rest/gadget';
import type { CreateSiteRequest } from '@lintel/wire-protocol/rest/site';
import type { TestBridge, TestOrganizationClient } from './test-bridge.ts';

export const createTestSite = async (
  { services }: Pick<TestBridge, 'services'>,
  { organizationId }: TestOrganizationClient,
  given: Partial<CreateSiteRequest> = {},
) => (await insertSite(services, organizationId, given)).id as CreateDeviceRequest['site_id'];

export const door: CreateGadgetRequest = {
  name: 'Front door',
  actions: [
    { id: 'open', name: 'Open' },
    { id: 'hold', name: 'Hold open' },
  ],
  states: [{ id: 'unlocked', name: 'Unlocked' }],
  signals: [{ id: 'forced', name: 'Forced' }],
};

/** Creates a device; by default a virtual one with one door. */
export const createTestDevice = async (
  { services }: Pick<TestBridge, 'services'>,
  { organizationId }: TestOrganizationClient,
  given: Partial<CreateDeviceRequest> & Pick<CreateDeviceRequest, 'site_id'>,
) => {
  const form: CreateDeviceRequest = { name: 'Controller', product_id: 'virtual', gadgets: [door], ...given };
  const { device, gadgets } = await insertDevice(services, organizationId, form);
  return { deviceId: device.id, gadgetIds: gadgets.map(({ id }) => id), gadgetId: gadgets[0]?.id ?? '' };
};

/** Creates a site with one device and one door. */
export const createTestDoor = async (
  bridge: Pick<TestBridge, 'services'>,
  client: TestOrganizationClient,
  given: Partial<CreateSiteRequest> = {},
) => {
  const siteId = await createTestSite(bridge, client, given);
  return { siteId, ...(await createTestDevice(bridge, client, { site_id: siteId })) };
};

/** The device counts as claimed, and has reported this status. */
export const reportTestStatus = async (
  { services }: Pick<TestBridge, 'services'>,
  organizationId: string,
  deviceId: string,
  status: object,
): Promise<void> => {
  await services.storage.writer
    .updateTable('devices')
    .set({ status: JSON.stringify(status) })
    .where('id', '=', deviceId)
    .execute();
  await insertDeviceLink(services, {
    device_id: deviceId,
    organization_id: organizationId,
    seen_at: 1000,
    offline_since: 2000,
  });
};
