import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import type { RunningGateway } from '@lintel/gateway/main';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aController } from '../support/devices/device-hotel.ts';
import { aSite } from '../support/bridge/place.ts';
import { claimGateway, forgetGateway, startGateway } from '../support/devices/site-gateway.ts';
import type { TestController } from '../support/devices/test-controller.ts';
import { TlsBridge } from '../support/bridge/tls-bridge.ts';
import { FaultySite } from '../support/faults/faulty-site.ts';

const YEAR_MS = 365 * 86_400_000;
const NOW = instant(Date.parse('2026-06-01T10:00:00Z'));

const closing: Array<() => Promise<unknown> | void> = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const keepFloor = (dataDir: string, floor: number): string => {
  mkdirSync(join(dataDir, 'gateway'), { recursive: true });
  writeFileSync(join(dataDir, 'gateway', 'time-floor.json'), JSON.stringify(floor));
  return dataDir;
};

describe('on a plain line, kept time', () => {
  for (const [name, floor] of [
    ['two years ahead', Date.now() + 2 * YEAR_MS],
    ['in 1970', 0],
    ['no number', Number.NaN],
  ] as const) {
    it(`that is ${name} is set right by the bridge’s signed word, and nothing is lost`, async () => {
      const site = await FaultySite.open(dataDir => keepFloor(dataDir, floor));
      closing.push(() => site.close());
      await site.startProcess();
      await site.newDoors(2);
      for (let tap = 0; tap < 10; tap++) site.tapAll();
      await site.allReported();
      await site.expectAllOnceInOrder(10);
      const { clock } = await site.status();
      expect(clock).toMatchObject({ trusted: true, source: 'bridge' });
      expect(Math.abs(Date.parse(clock.time) - Date.now())).toBeLessThan(60_000);
    });
  }
});

describe('kept time that is years ahead', () => {
  it('is a fault that says what to do while the line is down, and none when the bridge has set it right', async () => {
    const site = await FaultySite.open(dataDir => keepFloor(dataDir, Date.parse('2045-01-01T00:00:00Z')));
    closing.push(() => site.close());
    site.uplink.cut();
    await site.startProcess();
    const { faults } = await site.status();
    expect(faults.map(({ code }) => code)).toEqual(['clock']);
    expect(faults[0]!.message).toMatch(/2045-01-01 .*remove gateway\/time-floor\.json/);
    expect(faults[0]!.message.length).toBeLessThan(500);
    site.uplink.restore();
    await site.until(async () => (await site.status()).faults.length === 0, 'no fault');
  });
});

describe('with certificates on both sides, an operating system whose clock', () => {
  /** A gateway that has never run before, and a controller that tells an event through it. */
  const siteWith = async (system: () => number) => {
    const bridge = await TlsBridge.open(NOW);
    closing.push(() => bridge.close());
    const { world } = bridge;
    const client = await world.newOrganization();
    const siteId = await aSite(world, client);
    const controller = await aController(world, client, siteId);
    closing.push(() => controller.stop());
    const dataDir = await claimGateway(world, client, siteId);
    closing.push(() => forgetGateway(dataDir));
    const gateway = await startGateway(world, dataDir, bridge.mqtts, { system });
    closing.push(() => gateway.stop());
    await vi.waitUntil(() => gateway.status().upstream.connected && gateway.status().controllers.length === 1, {
      timeout: 10_000,
    });
    return { controller, gateway };
  };

  const comesIn = async (controller: TestController, gateway: RunningGateway): Promise<void> => {
    const own = {
      ca: controller.claimed.ca_certificate,
      cert: controller.claimed.certificate,
      key: controller.identity.key.export({ type: 'pkcs8', format: 'pem' }),
      checkServerIdentity: () => undefined,
    };
    await controller.connect(gateway.addresses().mqtts, own);
    await controller.hello();
    await controller.until(() => controller.held !== null, 'a slice');
  };

  const tells = async (controller: TestController): Promise<void> => {
    const acknowledged = controller.next('ack');
    const event = controller.event({ kind: 'fault', fault: 'test' });
    await controller.say('events', { v: 1, events: [event] });
    expect((await acknowledged).up_to).toBe(event.sequence);
  };

  for (const [name, system] of [
    ['is in 1970', () => 0],
    ['is ten years ahead', () => NOW + 10 * YEAR_MS],
  ] as const) {
    it(`${name} keeps nobody out and loses nothing`, async () => {
      const { controller, gateway } = await siteWith(system);
      await comesIn(controller, gateway);
      await tells(controller);
      expect(gateway.status().clock).toMatchObject({ trusted: true, source: 'bridge' });
      expect(Math.abs(Date.parse(gateway.status().clock.time) - NOW)).toBeLessThan(60_000);
    });
  }

  it('jumps while the gateway runs moves nothing', async () => {
    let offset = 0;
    const { controller, gateway } = await siteWith(() => NOW + offset);
    await comesIn(controller, gateway);
    for (offset of [3 * YEAR_MS, -3 * YEAR_MS, 0]) {
      await controller.stop();
      await comesIn(controller, gateway);
      await tells(controller);
    }
  });
});
