import { instant } from '@lintel/access-core/instant';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { expect, it } from 'vitest';
import { openAdminSession, adminWithToken } from '../../support/bridge/admin-client.ts';
import { claimController, ControllerSite } from '../../support/devices/controller-site.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestSite } from '../../support/bridge/site-fixtures.ts';

describeOnSqliteFirst('GET /admin/v1/pins/:id/reach', bridge => {
  it('lists the controllers that confirmed the PIN, and those where it is pending or still to be removed', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, controller, groupId, siteId } = site;
    const away = await claimController(bridge(), client, siteId);
    await client.callOk('PATCH', `/member_groups/${groupId}`, { permissions: [{ site_id: siteId }] });
    const elsewhere = await claimController(bridge(), client, await createTestSite(bridge(), client));
    const id = await site.createMember([groupId], '1928');
    const { data } = await client.callOk('GET', `/members/${id}/pins`);
    const pinId = data[0]!.id;
    const admin = await adminWithToken(bridge(), client.organizationId, 'full_read_only');
    const reach = async () => {
      const { body } = await admin.callRoot('GET', `/pins/${pinId}/reach`);
      const doors = body['doors'] as { device_id: string; status: string; online: boolean }[];
      return doors.map(({ device_id, status, online }) => `${device_id} ${status} ${online}`);
    };
    const pending = `${away.deviceId} pending false`;
    await expect.poll(reach).toEqual([`${controller.deviceId} served true`, pending]);
    expect((await admin.get(`/pins/${pinId}/reach`)).body).toEqual(
      (await admin.callRoot('GET', `/pins/${pinId}/reach`)).body,
    );
    await controller.stop();
    await expect.poll(reach).toEqual([`${controller.deviceId} served false`, pending]);
    await client.callOk('DELETE', `/members/${id}/pins/${pinId}`);
    expect(await reach()).toEqual([`${controller.deviceId} leaving false`]);
    expect(elsewhere.deviceId).not.toBe(controller.deviceId);
  });

  it('shows a technician only their sites, and responds with 404 to other organizations', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const id = await site.createMember([site.groupId], '3746');
    const { data } = await site.client.callOk('GET', `/members/${id}/pins`);
    const path = `/pins/${data[0]!.id}/reach`;
    const { organizationId } = site.client;
    const doors = async (sites: string[]) => {
      const technician = await openAdminSession(bridge(), organizationId, 'technician', sites);
      return ((await technician.callRoot('GET', path)).body['doors'] as unknown[]).length;
    };
    expect(await doors([site.siteId])).toBe(1);
    expect(await doors([])).toBe(0);
    const stranger = await adminWithToken(
      bridge(),
      (await bridge().newOrganization()).organizationId,
      'full_read_write',
    );
    expect((await stranger.callRoot('GET', path)).status).toBe(404);
    expect((await stranger.get(path)).status).toBe(404);
    await site.controller.stop();
  });
});

describeOnSqliteFirst('GET /members/:id/delivery', bridge => {
  it('lists each credential with the controllers that confirmed it, need it or still have to remove it', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, controller, groupId, siteId } = site;
    const away = await claimController(bridge(), client, siteId);
    await client.callOk('PATCH', `/member_groups/${groupId}`, { permissions: [{ site_id: siteId }] });
    const id = await site.createMember([groupId], '1928');
    const card = await client.callOk('POST', `/members/${id}/cards`, { uid: '04a1b2c3d4e5f6' });
    const desk = await openAdminSession(bridge(), client.organizationId, 'front_desk');
    interface Credential {
      readonly type: string;
      readonly is_deleted: boolean;
      readonly revision: number;
      readonly controllers: { device_id: string; status: string; served_revision: number | null }[];
    }
    const delivery = async () =>
      (await desk.callOk('GET', `/members/${id}/delivery`))['credentials'] as readonly Credential[];
    const statuses = async () =>
      (await delivery()).map(
        ({ type, is_deleted, controllers }) =>
          `${type}${is_deleted ? ' deleted' : ''}: ${controllers.map(({ status }) => status).join(', ')}`,
      );
    await expect.poll(statuses).toEqual(['member_pin: served, pending', 'member_card: served, pending']);
    const [pin] = await delivery();
    expect(pin!.controllers.map(({ device_id }) => device_id)).toEqual([controller.deviceId, away.deviceId]);
    expect(pin!.controllers[0]!.served_revision).toBeGreaterThanOrEqual(pin!.revision);
    expect(pin!.controllers[1]!.served_revision).toBeNull();
    await controller.stop();
    bridge().now = instant(bridge().now + 1000);
    await client.callOk('DELETE', `/members/${id}/cards/${card.id}`);
    expect(await statuses()).toEqual(['member_pin: pending, pending', 'member_card deleted: leaving']);
    await controller.start(site.url);
    const removed = 'member_card deleted: removed';
    await expect.poll(statuses).toEqual(['member_pin: served, pending', removed]);
    expect((await delivery())[1]).toMatchObject({ name: '04a1b2c3d4e5f6', deleted_at: toDateTime(bridge().now) });
    await controller.stop();
    bridge().now = instant(bridge().now + 1000);
    await client.callOk('PATCH', `/members/${id}`, { name: 'Renamed' });
    await client.callOk('PATCH', `/members/${id}`, { ends_at: '2030-01-01T00:00:00Z' });
    // The card was deleted before the change that the controller lacks.
    expect(await statuses()).toEqual(['member_pin: pending, pending', removed]);
  });

  it('is empty for a member without credentials, and 404 for an unknown member', async () => {
    const client = await bridge().newOrganization();
    const viewer = await openAdminSession(bridge(), client.organizationId, 'viewer');
    const { id } = await client.callOk('POST', '/members', {});
    expect(await viewer.callOk('GET', `/members/${id}/delivery`)).toEqual({
      member_id: id,
      credentials: [],
      lockout: null,
    });
    expect((await viewer.get('/members/mem_01jx5m8z6q0000000000000001/delivery')).status).toBe(404);
  });
});
