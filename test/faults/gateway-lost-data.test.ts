import { setImmediate as turn } from 'node:timers/promises';
import { FleetWorker } from '@lintel/simulator/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClaimedFleet } from '../bench/devices-fixture/create-claimed-controllers-and-members.ts';
import type { TestBridge } from '../support/bridge/test-bridge.ts';
import { AdvanceableClock } from '../support/devices/advanceable-clock.ts';
import { claimGateway, removeGatewayData } from '../support/devices/claim-and-start-gateway.ts';
import { FirmwareSite } from '../support/devices/firmware-site.ts';
import { openBridgeInRealTime } from '../support/faults/faulty-site.ts';
import { FaultyTcpProxy } from '../support/faults/faulty-tcp-proxy.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const CARD = '04a1b2c3d4e5f6';
const DOORS = 3;
const FLEET = 200;
const FLEET_TAPS = 30_000;
const LIMIT_MS = 120_000;

let bridge: TestBridge;
let site: FirmwareSite;
let link: FaultyTcpProxy;
let gateway: GatewayProcess;
let dataDir: string;

beforeEach(async () => {
  bridge = await openBridgeInRealTime();
  site = await FirmwareSite.open(bridge);
  link = await FaultyTcpProxy.to(site.url);
});
afterEach(async () => {
  await site.close();
  await gateway.stop('SIGKILL');
  link.close();
  removeGatewayData(dataDir);
  await bridge.close();
});

/** Claims a gateway for the site and starts it where the controllers look for it. */
const startNewGateway = async (siteId: string, mqttPort = 0): Promise<void> => {
  dataDir = await claimGateway(bridge, site.client, siteId);
  gateway = await GatewayProcess.start(dataDir, { upstream: link.url, mqttPort });
};

const loseGateway = async (): Promise<void> => {
  await gateway.stop('SIGKILL');
  removeGatewayData(dataDir);
};

const connectedControllers = async (): Promise<number> =>
  (await gateway.status()).controllers.filter(({ connected }) => connected).length;

describe('Gateway that loses its data folder while the internet is down', () => {
  it('loses and repeats no event of an hour', async () => {
    const clock = new AdvanceableClock();
    const doors = await Promise.all(Array.from({ length: DOORS }, () => site.claimController()));
    const group = await site.createGroup(...doors.map(({ gadgetId }) => gadgetId));
    await site.createMember(group, { uid: CARD });
    await startNewGateway(site.siteId);
    for (const door of doors) door.start(gateway.ready.mqtt, { clock });
    for (const door of doors) await door.waitUntilSynced();
    link.cut();
    for (const door of doors) await expect.poll(() => door.isOnline).toBe(false);

    for (let minute = 0; minute < 60; minute++) {
      clock.advanceSeconds(60);
      for (const door of doors) door.running.reader.tap(CARD);
      await turn();
    }
    for (const door of doors) expect(door.running.controller.waitingEventCount()).toBeGreaterThanOrEqual(60);
    await loseGateway();
    link.restore();
    await startNewGateway(site.siteId, gateway.mqttPort);

    for (const { deviceId, running, recorded } of doors) {
      const isUploaded = (): boolean => running.controller.waitingEventCount() === 0;
      await waitUntil(isUploaded, () => `the events of ${deviceId}; ${gateway.log()}`, LIMIT_MS);
      const happened = recorded.map(({ id }) => id as string);
      const uploaded = (await site.events(`object.device_id=${deviceId}`, 'recorded_at')).map(({ id }) => id);
      expect(uploaded.filter(id => happened.includes(id))).toEqual(happened);
    }
    const uses = await site.events('verb=use&object.type=gadget_action');
    expect(uses).toHaveLength(60 * DOORS);
  });

  it(`loses and repeats no event of ${FLEET} controllers that return at once`, { tags: ['slow'] }, async () => {
    const { controllers, organizationId, organizationKey } = await createClaimedFleet(bridge, site.client, FLEET);
    const { site_id } = await site.client.callOk('GET', `/devices/${controllers[0]!.deviceId}`);
    await startNewGateway(site_id as string);
    const brokers = { mqtts: null, mqtt: null };
    const enrollment = { organization_id: organizationId, site_id, organization_key: organizationKey, brokers };
    const devices = controllers.map(({ deviceId, serial, digestKeyId, key }) => ({
      device_id: deviceId,
      serial,
      digest_key_id: digestKeyId,
      key,
      certificate: '',
      expires_at: bridge.now,
    }));
    const fleet = new FleetWorker({
      enrollment: { ...enrollment, ca_certificate: '' } as never,
      devices: devices as never,
      broker: gateway.ready.mqtt,
    });
    try {
      await expect.poll(async () => (await gateway.status()).controllers.length, { timeout: LIMIT_MS }).toBe(FLEET);
      await fleet.connect();
      const serving = (): number => fleet.snapshot().counts.serving;
      await expect.poll(serving, { timeout: LIMIT_MS }).toBe(FLEET);
      link.cut();
      await expect.poll(async () => (await gateway.status()).upstream.connected, { timeout: LIMIT_MS }).toBe(false);
      fleet.startTaps({ kind: 'rhythm', plan: { tapsPerHour: 72_000, dayMs: null } });
      await expect.poll(() => fleet.snapshot().counts.taps, { timeout: LIMIT_MS }).toBeGreaterThan(FLEET_TAPS);
      fleet.stopTaps();
      const { taps, committed } = fleet.snapshot().counts;
      await loseGateway();
      link.restore();
      await startNewGateway(site_id as string, gateway.mqttPort);
      await expect.poll(connectedControllers, { timeout: LIMIT_MS }).toBe(FLEET);
      // The gateway is killed once more while the backlog is on its way.
      const isUnderWay = (): boolean => fleet.snapshot().counts.committed > committed;
      await expect.poll(isUnderWay, { timeout: LIMIT_MS, interval: 1 }).toBe(true);
      await gateway.stop('SIGKILL');
      gateway = await GatewayProcess.start(dataDir, { upstream: link.url, mqttPort: gateway.mqttPort });
      await expect.poll(() => fleet.snapshot().counts.waiting, { timeout: LIMIT_MS }).toBe(0);
      const rows = await bridge.services.storage.reader
        .selectFrom('events')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('object_type', '=', 'gadget_action')
        .execute();
      expect(rows).toHaveLength(taps);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(taps);
    } finally {
      fleet.stop();
    }
  });
});
