import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { describeOnBothDatabases } from '../support/bridge/describe-on-both-databases.ts';
import { type TestDatabaseEngine, TestBridge } from '../support/bridge/test-bridge.ts';
import { ControllerSite } from '../support/devices/controller-site.ts';

const countEvents = async ({ bridge, client }: ControllerSite): Promise<number> => {
  const { rows } = await sql<{ count: number | string }>`select count(*) as count from events
    where organization_id = ${client.organizationId} and verb = 'use' and object_type = 'gadget_action'`.execute(
    bridge.services.storage.reader,
  );
  return Number(rows[0]!.count);
};

const usesOf = ({ controller, gadgetId }: ControllerSite, count: number): DeviceEvent[] =>
  Array.from({ length: count }, () =>
    controller.event({ kind: 'use', gadget_id: gadgetId, gadget_action_id: 'open' } as never),
  );

const acknowledged = ({ controller }: ControllerSite): number =>
  new Set(controller.messagesOf('ack').flatMap(({ event_ids }) => event_ids)).size;

describeOnBothDatabases(
  'a controller that sends more events than its doors can have',
  bridge => {
    it('waits for acknowledgements and is reported once', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const { controller, client } = site;
      const [first, second, third] = [usesOf(site, 60), usesOf(site, 60), usesOf(site, 60)];
      const send = async (...batches: DeviceEvent[][]) => {
        for (const events of batches) await controller.send('events', { v: 1, events });
        await controller.send('time-request', { v: 1, nonce: 'A'.repeat(22) });
        await bridge().devices.whenIdle();
      };
      await send(first, second, third);
      await expect.poll(() => acknowledged(site)).toBe(60);
      expect(await countEvents(site)).toBe(60);
      const admin = await openAdminSession(bridge(), client.organizationId, 'administrator');
      const incidents = async () => (await admin.callOk('GET', '/incidents')).data;
      await expect
        .poll(incidents)
        .toMatchObject([{ kind: 'device_event_flood', device_ids: [controller.deviceId], acknowledged_at: null }]);
      expect((await admin.callOk('GET', '/attention'))['items']).toContainEqual(
        expect.objectContaining({ kind: 'incident', fault: 'device_event_flood' }),
      );
      // What is not acknowledged is sent again, and stored as far as the limit allows.
      await send(second.slice(0, 40));
      await expect.poll(() => acknowledged(site)).toBe(100);
      const [incident] = await incidents();
      await admin.callOk('POST', `/incidents/${incident!['id']}/acknowledge`, {});
      await send(second, third);
      expect(await incidents()).toHaveLength(1);
      expect(await countEvents(site)).toBe(100);
      await controller.stop();
    });
  },
  { deviceEventRateLimit: { perSecond: 1e-6, burst: 100 } },
);

const engines: readonly TestDatabaseEngine[] = ['sqlite', 'postgres'];

describe('a flood of 25,000 events from one controller', { tags: ['slow'], timeout: 300_000 }, () => {
  it.each(engines)('is stored up to the limit while another organization writes (%s)', async engine => {
    const bridge = await TestBridge.open({ engine });
    const site = await ControllerSite.openConnected(bridge);
    const neighbor = await ControllerSite.open(bridge);
    const delays: number[] = [];
    let isFlooding = true;
    const writes = (async () => {
      while (isFlooding) {
        const start = performance.now();
        await neighbor.createMember([]);
        delays.push(performance.now() - start);
      }
    })();
    for (let sent = 0; sent < 25_000; sent += 500)
      await site.controller.send('events', { v: 1, events: usesOf(site, 500) });
    await bridge.devices.whenIdle();
    isFlooding = false;
    await writes;
    const stored = await countEvents(site);
    // The bucket refills while the events are stored.
    expect(stored).toBeGreaterThanOrEqual(20_000);
    expect(stored).toBeLessThan(25_000);
    await expect.poll(() => acknowledged(site)).toBe(stored);
    expect(Math.max(...delays)).toBeLessThan(2_000);
    await site.controller.stop();
    await bridge.close();
  });
});
