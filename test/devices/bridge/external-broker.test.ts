import { once } from 'node:events';
import { createServer } from 'node:net';
import { Aedes } from 'aedes';
import { describe, expect, it } from 'vitest';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { claimController } from '../../support/devices/controller-site.ts';
import { createTestSite } from '../../support/bridge/site-fixtures.ts';

describe('bridge with an external broker', () => {
  it('syncs controllers, forwards actions, and sets a device offline by its last will', async () => {
    const aedes = await Aedes.createBroker();
    const server = createServer({ noDelay: true }, aedes.handle).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const url = `mqtt://127.0.0.1:${port}`;
    const bridge = await TestBridge.open({ mqttUrl: url });
    const client = await bridge.newOrganization();
    const site_id = await createTestSite(bridge, client);
    const controller = await (await claimController(bridge, client, site_id)).start(url);
    const { data } = await client.callOk('GET', '/gadgets');
    const requested = controller.next('action');
    const called = client.call('POST', `/gadgets/${data[0]!.id}/actions/open`, {});
    const { request_id } = await requested;
    await controller.send('action-result', { v: 1, request_id, outcome: 'done', reason: null, event_id: null });
    expect((await called).status).toBe(200);
    controller.dropConnection();
    const online = async () =>
      ((await client.callOk('GET', `/devices/${controller.deviceId}`))['status'] as { online: boolean }).online;
    await expect.poll(online).toBe(false);
    await bridge.close();
    await new Promise<void>(resolve => {
      aedes.close(resolve);
    });
    server.close();
  });
});
