import { expect, it } from 'vitest';
import { ControllerSite } from '../../support/devices/controller-site.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { iterations } from '../../support/test-iterations-and-seed.ts';
import { TestController } from '../../support/devices/test-controller.ts';

const COUNT = iterations({ sample: 8, all: 30 });

describeOnSqliteFirst('many controllers that connect at the same time', bridge => {
  it('each get a snapshot and an online event, and can say hello again', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, siteId, controller } = site;
    await controller.stop();
    const controllers: TestController[] = [];
    while (controllers.length < COUNT)
      controllers.push(await TestController.claim(bridge(), client, { site_id: siteId }));
    await Promise.all(controllers.map(one => one.start(site.url)));
    for (const one of controllers) expect(one.rejections).toEqual([]);
    const { services, devices } = bridge();
    await devices.whenIdle();
    const links = await services.storage.reader
      .selectFrom('device_links')
      .select(['device_id', 'session_nonce'])
      .where('organization_id', '=', client.organizationId)
      .execute();
    const nonces = new Map(links.map(({ device_id, session_nonce }) => [device_id, session_nonce]));
    for (const one of controllers) expect(nonces.get(one.deviceId)).toBe(one.nonce);
    const events = await services.storage.reader
      .selectFrom('events')
      .select(['subject_device_id', 'object_device_id'])
      .where('organization_id', '=', client.organizationId)
      .where('reason', '=', 'online')
      .execute();
    for (const { deviceId } of controllers) {
      const own = events.filter(event => event.object_device_id === deviceId);
      expect(own.map(event => event.subject_device_id)).toEqual([deviceId]);
    }
    await Promise.all(controllers.map(one => one.hello()));
    await devices.whenIdle();
    for (const one of controllers) expect(one.rejections).toEqual([]);
    await Promise.all(controllers.map(one => one.stop()));
  });
});
