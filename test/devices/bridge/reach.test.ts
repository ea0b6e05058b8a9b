import { once } from 'node:events';
import { createServer } from 'node:net';
import { Aedes } from 'aedes';
import { describe, expect, it } from 'vitest';
import { signedIn, withToken } from '../../support/bridge/administration.ts';
import { BridgeWorld } from '../../support/bridge/bridge-world.ts';
import { aController, DeviceHotel } from '../../support/devices/device-hotel.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';
import { aSite } from '../../support/bridge/place.ts';

onBothEngines('the reach of a PIN', world => {
  it('names the doors that have it, by their own word, and those where it is still on its way', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller, groupId, siteId } = hotel;
    const away = await aController(world(), client, siteId);
    await client.done('PATCH', `/member_groups/${groupId}`, { permissions: [{ site_id: siteId }] });
    const elsewhere = await aController(world(), client, await aSite(world(), client));
    const id = await hotel.member([groupId], '1928');
    const { data } = await client.done('GET', `/members/${id}/pins`);
    const pinId = data[0]!.id;
    const admin = await withToken(world(), client.organizationId, 'full_read_only');
    const reach = async () => {
      const { body } = await admin.ask('GET', `/pins/${pinId}/reach`);
      const doors = body['doors'] as { device_id: string; status: string; online: boolean }[];
      return doors.map(({ device_id, status, online }) => `${device_id} ${status} ${online}`);
    };
    const waiting = `${away.deviceId} pending false`;
    await expect.poll(reach).toEqual([`${controller.deviceId} served true`, waiting]);
    expect((await admin.get(`/pins/${pinId}/reach`)).body).toEqual(
      (await admin.ask('GET', `/pins/${pinId}/reach`)).body,
    );
    await controller.stop();
    await expect.poll(reach).toEqual([`${controller.deviceId} served false`, waiting]);
    await client.done('DELETE', `/members/${id}/pins/${pinId}`);
    expect(await reach()).toEqual([`${controller.deviceId} leaving false`]);
    expect(elsewhere.deviceId).not.toBe(controller.deviceId);
  });

  it('is shown to whoever administers the organization, as far as their sites go', async () => {
    const hotel = await DeviceHotel.running(world());
    const id = await hotel.member([hotel.groupId], '3746');
    const { data } = await hotel.client.done('GET', `/members/${id}/pins`);
    const path = `/pins/${data[0]!.id}/reach`;
    const { organizationId } = hotel.client;
    const doors = async (sites: string[]) => {
      const technician = await signedIn(world(), organizationId, 'technician', sites);
      return ((await technician.ask('GET', path)).body['doors'] as unknown[]).length;
    };
    expect(await doors([hotel.siteId])).toBe(1);
    expect(await doors([])).toBe(0);
    const stranger = await withToken(world(), (await world().newOrganization()).organizationId, 'full_read_write');
    expect((await stranger.ask('GET', path)).status).toBe(404);
    expect((await stranger.get(path)).status).toBe(404);
    await hotel.controller.stop();
  });
});

describe('a bridge whose broker is elsewhere', () => {
  it('serves its controllers all the same, and knows by their last will that they are gone', async () => {
    const aedes = await Aedes.createBroker();
    const server = createServer({ noDelay: true }, aedes.handle).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const url = `mqtt://127.0.0.1:${port}`;
    const world = await BridgeWorld.open({ mqttUrl: url });
    const client = await world.newOrganization();
    const site_id = await aSite(world, client);
    const controller = await (await aController(world, client, site_id)).start(url);
    const { data } = await client.done('GET', '/gadgets');
    const asked = controller.next('action');
    const called = client.call('POST', `/gadgets/${data[0]!.id}/actions/open`, {});
    const { request_id } = await asked;
    await controller.say('action-result', { v: 1, request_id, outcome: 'done', reason: null, event_id: null });
    expect((await called).status).toBe(200);
    controller.cut();
    const online = async () =>
      ((await client.done('GET', `/devices/${controller.deviceId}`))['status'] as { online: boolean }).online;
    await expect.poll(online).toBe(false);
    await world.close();
    await new Promise<void>(resolve => {
      aedes.close(resolve);
    });
    server.close();
  });
});
