import { minimalCapabilities } from '@lintel/hardware-profiles/capabilities-schema';
import { expect, it } from 'vitest';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { ControllerSite } from '../../support/devices/controller-site.ts';

describeOnSqliteFirst('hello of a controller with another hardware profile', bridge => {
  const deviceOf = ({ client, controller }: ControllerSite) => client.callOk('GET', `/devices/${controller.deviceId}`);

  it('changes the product of the device, with an event by the device', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { controller, client } = site;
    const own = { revision_id: '3', name: 'Own board', capabilities: { ...minimalCapabilities, pin: true } };
    await controller.hello({ product_id: 'own-board', product: own });
    await expect.poll(async () => (await deviceOf(site)).product_id).toBe('own-board');
    expect(await deviceOf(site)).toMatchObject({ revision_id: '3', capabilities: { pin: true } });
    const { data } = await client.callOk('GET', `/events?verb=edit&object.device_id=${controller.deviceId}`);
    expect(data[0]).toMatchObject({ subject: { device_id: controller.deviceId } });
    expect((await client.callOk('GET', `/gadgets?device_id=${controller.deviceId}`)).data).toHaveLength(1);
    await controller.stop();
  });

  it('keeps the product if the reported one is unknown, a gateway or not usable, and continues the session', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { controller } = site;
    const { product_id: before } = await deviceOf(site);
    const capabilities = { ...minimalCapabilities };
    for (const hello of [
      { product_id: 'unconfigured', product: null },
      { product_id: 'gateway', product: { revision_id: '1', name: 'Gateway', capabilities } },
      { product_id: 'bad', product: { revision_id: '1', name: 'Bad', capabilities: { pin: 'yes' } } },
    ]) {
      const snapshots = controller.messagesOf('snapshot').length;
      await controller.hello({ ...hello, snapshot: null });
      await controller.waitUntil(() => controller.messagesOf('snapshot').length > snapshots, 'a snapshot');
    }
    expect((await deviceOf(site)).product_id).toBe(before);
    await controller.stop();
  });
});
