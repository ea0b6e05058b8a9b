import { expect, it } from 'vitest';
import { DeviceHotel } from '../../support/devices/device-hotel.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';
import { TestController } from '../../support/devices/test-controller.ts';

const COUNT = 30;

onBothEngines('many controllers that come at once', world => {
  it('are each greeted, served and online, with an event of their own, and numbers that go on', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, siteId, controller } = hotel;
    await controller.stop();
    const many: TestController[] = [];
    while (many.length < COUNT) many.push(await TestController.claim(world(), client, { site_id: siteId }));
    await Promise.all(many.map(one => one.start(hotel.url)));
    for (const one of many) expect(one.refused).toEqual([]);
    const { services, devices } = world().bridge;
    await devices.idle();
    const links = await services.storage.reader
      .selectFrom('device_links')
      .select(['device_id', 'session_nonce'])
      .where('organization_id', '=', client.organizationId)
      .execute();
    const nonces = new Map(links.map(({ device_id, session_nonce }) => [device_id, session_nonce]));
    for (const one of many) expect(nonces.get(one.deviceId)).toBe(one.nonce);
    const events = await services.storage.reader
      .selectFrom('events')
      .select(['subject_device_id', 'object_device_id'])
      .where('organization_id', '=', client.organizationId)
      .where('reason', '=', 'online')
      .execute();
    for (const { deviceId } of many) {
      const own = events.filter(event => event.object_device_id === deviceId);
      expect(own.map(event => event.subject_device_id)).toEqual([deviceId]);
    }
    await Promise.all(many.map(one => one.hello()));
    await devices.idle();
    for (const one of many) expect(one.refused).toEqual([]);
    await Promise.all(many.map(one => one.stop()));
  });
});
