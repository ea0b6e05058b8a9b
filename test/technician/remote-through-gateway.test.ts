import type { TechnicianServer } from '@lintel/device-runtime/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { RemoteTechnicianClient, serveTechnicianPage } from '../support/technician/remote-technician-client.ts';
import type { FirmwareController } from '../support/devices/firmware-site.ts';
import { FirmwareSiteWithGateway } from '../support/devices/firmware-gateway-site.ts';

let site: FirmwareSiteWithGateway;
let door: FirmwareController;
let page: TechnicianServer;
let remote: RemoteTechnicianClient;
beforeEach(async () => {
  site = await FirmwareSiteWithGateway.open();
  door = await site.claimController();
  const { bridge, client } = site;
  remote = new RemoteTechnicianClient(await openAdminSession(bridge, client.organizationId, 'owner'), door.deviceId);
  await site.start(door);
  page = await serveTechnicianPage(door);
});
afterEach(async () => {
  await page.stop();
  await site.close();
});

describe('remote technician through a gateway', () => {
  it('works while the gateway is connected, fails while it is offline, and works again afterwards', async () => {
    const url = await site.bridge.bridge.listen('127.0.0.1', 0);
    let live: Awaited<ReturnType<typeof remote.live>> | null = null;
    const open = () => remote.call('POST', `/gadgets/${door.gadgetId}/actions/open`, {});
    // On a busy machine the controller may reconnect first, and the door may lock again before the test looks at it.
    await expect.poll(async () => [(await open()).status, door.isUnlocked]).toEqual([200, true]);
    await expect
      .poll(async () => (await remote.call('GET', '/health')).body['checks'] ?? [])
      .toContainEqual(
        expect.objectContaining({ id: 'gateway', state: 'ok', found: expect.stringContaining('gateway') }),
      );
    // The live stream ends with the session of the controller, which reconnects on a busy machine. A page opens it again.
    await expect
      .poll(async () => {
        if (live === null || live.ended()) live = await remote.live(url).catch(() => null);
        await open();
        return live?.messages.some(({ type }) => type === 'output');
      })
      .toBe(true);
    await site.cutLink();
    await expect.poll(async () => (await remote.call('GET', '/status')).status).toBe(503);
    await expect.poll(() => live?.ended()).toBe(true);
    await site.restoreLink();
    await expect.poll(async () => (await remote.call('GET', '/status')).status).toBe(200);
  });
});
