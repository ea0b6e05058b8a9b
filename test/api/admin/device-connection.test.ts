import { instant } from '@lintel/access-core/instant';
import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';
import { ControllerSite } from '../../support/devices/controller-site.ts';

describeOnSqliteFirst('GET /devices/{id}/connection', bridge => {
  it('returns what a controller reported, beside the current revision', async () => {
    const { client, controller } = await ControllerSite.openConnected(bridge());
    const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    const read = () => owner.callOk('GET', `/devices/${controller.deviceId}/connection`);
    await expect.poll(async () => (await read())['served_revision']).toBe(controller.snapshot?.revision);
    const connection = await read();
    expect(connection).toMatchObject({ device_id: controller.deviceId, firmware: 'test', gateway_id: null });
    expect(connection['seen_at']).toBe(new Date(bridge().now).toISOString());
    expect(connection['current_revision']).toBeGreaterThanOrEqual(controller.snapshot?.revision ?? 0);
    expect(connection['offline_since']).toBeNull();
    bridge().now = instant(bridge().now + 3_600_000);
    await controller.stop();
    const expected = new Date(bridge().now).toISOString();
    await expect.poll(async () => (await read())['offline_since']).toBe(expected);
    const items = (await owner.callOk('GET', '/attention'))['items'] as object[];
    expect(items).toMatchObject([{ kind: 'device_offline', since: expected }]);
  });

  it('has no values for a device that has never connected', async () => {
    const client = await bridge().newOrganization();
    const { deviceId } = await createTestDoor(bridge(), client);
    const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    expect(await owner.callOk('GET', `/devices/${deviceId}/connection`)).toEqual({
      device_id: deviceId,
      firmware: null,
      seen_at: null,
      offline_since: null,
      gateway_id: null,
      served_revision: null,
      served_at: null,
      current_revision: expect.any(Number),
      waiting: [],
    });
  });

  it('hides devices of other sites from a technician, and of other organizations from everyone', async () => {
    const client = await bridge().newOrganization();
    const { deviceId, siteId } = await createTestDoor(bridge(), client);
    const other = await createTestDoor(bridge(), client);
    const technician = await openAdminSession(bridge(), client.organizationId, 'technician', [siteId]);
    expect((await technician.get(`/devices/${deviceId}/connection`)).status).toBe(200);
    expect((await technician.get(`/devices/${other.deviceId}/connection`)).status).toBe(404);
    const stranger = await openAdminSession(bridge(), (await bridge().newOrganization()).organizationId, 'owner');
    expect((await stranger.get(`/devices/${deviceId}/connection`)).status).toBe(404);
  });
});
