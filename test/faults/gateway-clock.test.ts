import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS } from '@lintel/access-core/durations';
import { instant } from '@lintel/access-core/instant';
import type { RunningGateway } from '@lintel/gateway/main';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestSite } from '../support/bridge/site-fixtures.ts';
import type { TestBridge } from '../support/bridge/test-bridge.ts';
import { TlsBridge } from '../support/bridge/tls-bridge.ts';
import { claimGateway, removeGatewayData, startGateway } from '../support/devices/claim-and-start-gateway.ts';
import { claimController } from '../support/devices/controller-site.ts';
import type { TestController } from '../support/devices/test-controller.ts';
import { FaultySite, openBridgeInRealTime } from '../support/faults/faulty-site.ts';
import { waitUntil } from '../support/wait-until.ts';

const YEAR_MS = 365 * 86_400_000;
const NOW = instant(Date.parse('2026-06-01T10:00:00Z'));

const writeTimeFloor = (dataDir: string, floor: number): string => {
  mkdirSync(join(dataDir, 'gateway'), { recursive: true });
  writeFileSync(join(dataDir, 'gateway', 'time-floor.json'), JSON.stringify(floor));
  return dataDir;
};

describe('Time floor of a gateway', () => {
  let bridge: TestBridge;
  let site: FaultySite;
  beforeAll(async () => {
    bridge = await openBridgeInRealTime();
  });
  afterAll(() => bridge.close());
  afterEach(context => site.close(context));

  it.each([
    ['two years ahead', Date.now() + 2 * YEAR_MS],
    ['in 1970', 0],
    ['not a number', Number.NaN],
  ] as const)('is corrected by the signed time of the bridge when it is %s, and no event is lost', async (_, floor) => {
    site = await FaultySite.open(bridge, dataDir => writeTimeFloor(dataDir, floor));
    await site.startInProcess();
    await site.addDoors(1);
    for (let tap = 0; tap < 10; tap++) site.tapAll();
    await site.waitUntilAllUploaded();
    await site.expectAllOnceInOrder(10);
    const { clock } = await site.status();
    expect(clock).toMatchObject({ trusted: true, source: 'bridge' });
    expect(Math.abs(Date.parse(clock.time) - Date.now())).toBeLessThan(MINUTE_MS);
  });

  it('is a fault with instructions when it is years ahead and the bridge is out of reach', async () => {
    site = await FaultySite.open(bridge, dataDir => writeTimeFloor(dataDir, Date.parse('2045-01-01T00:00:00Z')));
    site.uplink.cut();
    await site.startInProcess();
    const { faults } = await site.status();
    expect(faults.map(({ code }) => code)).toEqual(['clock']);
    expect(faults[0]!.message).toMatch(/2045-01-01 .*remove gateway\/time-floor\.json/);
    expect(faults[0]!.message.length).toBeLessThan(500);
    site.uplink.restore();
    await site.waitUntil(async () => (await site.status()).faults.length === 0, 'no fault');
  });
});

describe('System clock of a gateway with certificates on both sides', () => {
  let tls: TlsBridge;
  const closing: Array<() => Promise<unknown> | void> = [];
  beforeAll(async () => {
    tls = await TlsBridge.open(NOW);
  });
  afterAll(() => tls.close());
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  /** A gateway that has never run before, and a controller behind it. */
  const openSite = async (system: () => number) => {
    const { bridge } = tls;
    const client = await bridge.newOrganization();
    const siteId = await createTestSite(bridge, client);
    const controller = await claimController(bridge, client, siteId);
    closing.push(() => controller.stop());
    const dataDir = await claimGateway(bridge, client, siteId);
    closing.push(() => removeGatewayData(dataDir));
    const gateway = await startGateway(bridge, dataDir, tls.mqtts, { system });
    closing.push(() => gateway.stop());
    const isReady = (): boolean => gateway.status().upstream.connected && gateway.status().controllers.length === 1;
    await waitUntil(isReady, () => 'the gateway to be online and to know the controller');
    return { controller, gateway };
  };

  const connect = async (controller: TestController, gateway: RunningGateway): Promise<void> => {
    const certificates = {
      ca: controller.claimed.ca_certificate,
      cert: controller.claimed.certificate,
      key: controller.identity.key.export({ type: 'pkcs8', format: 'pem' }),
      checkServerIdentity: () => undefined,
    };
    await controller.connect(gateway.addresses().mqtts, certificates);
    await controller.hello();
    await controller.waitUntil(() => controller.snapshot !== null, 'a snapshot');
  };

  const uploadEvent = async (controller: TestController): Promise<void> => {
    const acknowledged = controller.next('ack');
    const event = controller.event({ kind: 'fault', fault: 'test' });
    await controller.send('events', { v: 1, events: [event] });
    expect((await acknowledged).event_ids).toEqual([event.id]);
  };

  it.each([
    ['in 1970', (): number => 0],
    ['ten years ahead', (): number => NOW + 10 * YEAR_MS],
  ] as const)('keeps no controller out and loses no event when it is %s', async (_, system) => {
    const { controller, gateway } = await openSite(system);
    await connect(controller, gateway);
    await uploadEvent(controller);
    expect(gateway.status().clock).toMatchObject({ trusted: true, source: 'bridge' });
    expect(Math.abs(Date.parse(gateway.status().clock.time) - NOW)).toBeLessThan(MINUTE_MS);
  });

  it('changes nothing when it is stepped while the gateway runs', async () => {
    let offset = 0;
    const { controller, gateway } = await openSite(() => NOW + offset);
    await connect(controller, gateway);
    for (offset of [3 * YEAR_MS, -3 * YEAR_MS, 0]) {
      await controller.stop();
      await connect(controller, gateway);
      await uploadEvent(controller);
    }
  });
});
