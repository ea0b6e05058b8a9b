import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TechnicianServer } from '@lintel/device-runtime/testing';
import { type AdminClient, openAdminSession } from '../support/bridge/admin-client.ts';
import { createTestDevice } from '../support/bridge/site-fixtures.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { type FirmwareController, FirmwareSite } from '../support/devices/firmware-site.ts';
import { RemoteTechnicianClient, serveTechnicianPage } from '../support/technician/remote-technician-client.ts';

const CARD = '04a1b2c3d4e5f6';

describe.each(['sqlite', 'postgres'] as const)('POST /devices/:device_id/enroll_card (%s)', engine => {
  let bridge: TestBridge;
  let site: FirmwareSite;
  let door: FirmwareController;
  let page: TechnicianServer;
  let admin: AdminClient;
  beforeAll(async () => {
    bridge = await TestBridge.open({ engine, isTicking: true });
    site = await FirmwareSite.open(bridge);
    door = await site.claimController();
    admin = await openAdminSession(bridge, site.client.organizationId, 'front_desk');
    door.start();
    page = await serveTechnicianPage(door);
    await door.waitUntilSynced();
  });
  afterAll(async () => {
    await page.stop();
    await site.close();
    await bridge.close();
  });

  const enroll = (body: object = {}) => admin.call('POST', `/devices/${door.deviceId}/enroll_card`, body);
  const isArmed = (): boolean => door.running.controller.technician.tapCapture.isWaiting;
  const events = () => site.events(`object.device_id=${door.deviceId}&subject.user_id=${admin.userId}`);

  it('returns the UID of the next card, which opens nothing, and logs both', async () => {
    const member = await site.createMember(await site.createGroup(door.gadgetId), { uid: CARD });
    await door.waitUntilSynced();
    const response = enroll({ reader: door.running.controller.technician.stations()[0]!.id });
    await expect.poll(isArmed).toBe(true);
    expect(await enroll()).toMatchObject({ status: 400, body: { args: { field: 'device_id' } } });
    door.running.reader.tap(CARD);
    expect(await response).toMatchObject({
      status: 200,
      body: { outcome: 'card', uid: CARD, card_id: expect.stringMatching(/^crd_/) },
    });
    expect([member.startsWith('mem_'), door.isUnlocked]).toEqual([true, false]);
    expect(door.recorded.filter(({ kind }) => kind === 'use')).toEqual([]);
    const reasons = (await events()).map(({ verb, reason }) => [verb, reason]);
    expect(reasons).toEqual(
      expect.arrayContaining([
        ['use', 'card_enrollment'],
        ['reveal', 'card_enrollment'],
      ]),
    );
    expect(JSON.stringify([door.logged, await events()])).not.toContain(CARD);
  });

  it('stops waiting when it is canceled, so that the next card opens the door', async () => {
    const cancel = () => admin.call('DELETE', `/devices/${door.deviceId}/enroll_card`);
    const response = enroll();
    await expect.poll(isArmed).toBe(true);
    expect((await cancel()).status).toBe(200);
    expect(await response).toMatchObject({ status: 200, body: { outcome: 'no_card', uid: null } });
    expect(isArmed()).toBe(false);
    const uid = '04a1b2c3d4e5aa';
    await site.createMember(await site.createGroup(door.gadgetId), { uid });
    await door.waitUntilSynced();
    door.running.reader.tap(uid);
    await expect.poll(() => door.recorded.some(({ kind }) => kind === 'use')).toBe(true);
    expect((await cancel()).status).toBe(200);
  });

  it('is canceled only by the user who waits, or by an administrator', async () => {
    const cancelAs = async (client: AdminClient) =>
      (await client.call('DELETE', `/devices/${door.deviceId}/enroll_card`)).status;
    const colleague = await openAdminSession(bridge, site.client.organizationId, 'front_desk');
    const administrator = await openAdminSession(bridge, site.client.organizationId, 'administrator');
    const response = enroll();
    await expect.poll(isArmed).toBe(true);
    // A refused read does not make the colleague its owner.
    expect((await colleague.call('POST', `/devices/${door.deviceId}/enroll_card`, {})).status).toBe(400);
    expect(await cancelAs(colleague)).toBe(403);
    expect(isArmed()).toBe(true);
    expect(await cancelAs(administrator)).toBe(200);
    expect(await response).toMatchObject({ status: 200, body: { outcome: 'no_card' } });
    expect(await cancelAs(colleague)).toBe(200);
  });

  it('explains an unknown reader, a random UID and a virtual device', async () => {
    expect(await enroll({ reader: 'cellar' })).toMatchObject({ status: 400, body: { args: { field: 'reader' } } });
    const response = enroll();
    await expect.poll(isArmed).toBe(true);
    door.running.reader.tap('08a1b2c3');
    expect(await response).toMatchObject({ status: 200, body: { outcome: 'random_uid', uid: null } });
    const { deviceId } = await createTestDevice(bridge, site.client, { site_id: site.siteId as never });
    const virtual = await admin.call('POST', `/devices/${deviceId}/enroll_card`, {});
    expect(virtual).toMatchObject({ status: 503, body: { type: 'hardware_offline' } });
  });

  it('requires the permission for cards, and is not part of the remote technician API', async () => {
    const technician = await openAdminSession(bridge, site.client.organizationId, 'technician', [site.siteId]);
    expect((await technician.call('POST', `/devices/${door.deviceId}/enroll_card`, {})).status).toBe(403);
    const remote = new RemoteTechnicianClient(technician, door.deviceId);
    expect((await remote.call('POST', '/enroll_card', {})).status).toBe(404);
    expect((await technician.call('DELETE', `/devices/${door.deviceId}/enroll_card`)).status).toBe(403);
    expect((await remote.call('DELETE', '/enroll_card')).status).toBe(404);
  });
});
