import { createDevice } from '@lintel/cloud-bridge/resources/devices';
import { createSite } from '../../../cloud-bridge/src/resources/sites.ts';
import type { WriteContext } from '@lintel/cloud-bridge/transactions/organization-writer';
import type { CreateDeviceRequest } from '@lintel/wire-protocol/rest/device';
import type { CreateGadgetRequest } from '@lintel/wire-protocol/rest/gadget';
import type { CreateSiteRequest } from '@lintel/wire-protocol/rest/site';
import type { TestBridge, TestOrganizationClient } from './test-bridge.ts';

/** Writes without HTTP, because the public API cannot create sites, devices or gadgets. */
export const writeToDatabase = <T>(
  bridge: TestBridge,
  client: TestOrganizationClient,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> => bridge.services.writer.write(client.organizationId, {}, work);

export const createTestSite = async (
  bridge: TestBridge,
  client: TestOrganizationClient,
  given: Partial<CreateSiteRequest> = {},
) =>
  (
    await writeToDatabase(bridge, client, context =>
      createSite(context, { name: 'Main', timezone: 'Europe/Madrid', ...given }),
    )
  ).id as CreateDeviceRequest['site_id'];

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
  bridge: TestBridge,
  client: TestOrganizationClient,
  given: Partial<CreateDeviceRequest> & Pick<CreateDeviceRequest, 'site_id'>,
) => {
  const form: CreateDeviceRequest = { name: 'Controller', product_id: 'virtual', gadgets: [door], ...given };
  const { device, gadgets } = await writeToDatabase(bridge, client, context => createDevice(context, form));
  return { deviceId: device.id, gadgetIds: gadgets.map(({ id }) => id), gadgetId: gadgets[0]?.id ?? '' };
};

/** Creates a site with one device and one door. */
export const createTestDoor = async (
  bridge: TestBridge,
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
  const { writer } = services.storage;
  await writer
    .updateTable('devices')
    .set({ status: JSON.stringify(status) })
    .where('id', '=', deviceId)
    .execute();
  await writer
    .insertInto('device_links')
    .values({
      device_id: deviceId,
      organization_id: organizationId,
      digest_key_id: 'key',
      sealed_digest_key: '',
      serial: deviceId,
      session_nonce: null,
      seen_at: 1000,
      firmware: null,
      event_sequence: 0,
      received_events: '{}',
      hello_counter: 0,
      awaits_revocations: 0,
    })
    .execute();
};
