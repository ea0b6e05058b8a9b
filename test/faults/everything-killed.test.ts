import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { instant } from '@lintel/access-core/instant';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { claimGateway, removeGatewayData } from '../support/devices/claim-and-start-gateway.ts';
import { storedEvents } from '../support/devices/read-stored-controller-events.ts';
import { FirmwareSite } from '../support/devices/firmware-site.ts';
import { BridgeProcess } from '../support/processes/bridge-process.ts';
import { DeviceProcess } from '../support/processes/device-process.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';

const DOORS = 2;
const KILLS = 3;
const PIN = '2580';
const POLL = { timeout: 180_000, interval: 200 };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

/** A site with a gateway and controllers. Nothing runs yet. */
const openSite = async () => {
  const inProcess = await TestBridge.open({ clock: () => instant(Date.now()) });
  inProcess.now = instant(Date.now());
  const site = await FirmwareSite.open(inProcess);
  const gatewayDir = await claimGateway(inProcess, site.client, site.siteId);
  const dataDirs: string[] = [];
  const gadgets: string[] = [];
  for (let count = 0; count < DOORS; count++) {
    const { dataDir, gadgetId } = await site.claimController();
    dataDirs.push(dataDir);
    gadgets.push(gadgetId);
  }
  await site.createMember(await site.createGroup(...gadgets), { pin: PIN });
  await inProcess.bridge.close();
  cleanups.push(() => {
    for (const dataDir of [...dataDirs, inProcess.dataDir]) rmSync(dataDir, { recursive: true, force: true });
    removeGatewayData(gatewayDir);
  });
  return { token: site.client.token, bridge: new BridgeProcess(inProcess.dataDir), gatewayDir, dataDirs };
};

describe('Bridge, gateway and controllers that are killed at once', { tags: ['slow'] }, () => {
  it('have every event exactly once after they start again', async () => {
    const { token, bridge, gatewayDir, dataDirs } = await openSite();
    let gateway: GatewayProcess | null = null;
    let devices: DeviceProcess[] = [];
    const killAll = async (): Promise<void> => {
      await Promise.all([bridge.kill(), gateway?.stop('SIGKILL'), ...devices.map(device => device.stop('SIGKILL'))]);
    };
    cleanups.push(killAll);
    const startAll = async (): Promise<void> => {
      const { mqtt } = await bridge.start();
      gateway = await GatewayProcess.start(gatewayDir, { upstream: mqtt, mqttPort: gateway?.mqttPort ?? 0 });
      const upstream = `mqtt://127.0.0.1:${gateway.mqttPort}`;
      devices = await Promise.all(dataDirs.map(dataDir => DeviceProcess.start(dataDir, '--upstream', upstream)));
    };
    const stored = (): DeviceEvent[] => dataDirs.flatMap(storedEvents);
    const uses = (): number => stored().filter(({ kind }) => kind === 'use').length;
    const openDoors = async (): Promise<void> => {
      await Promise.all(devices.map(device => device.type(PIN)));
    };
    const recorded = async () => {
      const all: { id: string; reason?: string }[] = [];
      for (let cursor = ''; ; ) {
        const url = `${await bridge.url}/v2/events?sort=recorded_at:asc&limit=100${cursor}`;
        const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
        const page = (await response.json()) as { data: typeof all; has_next: boolean; cursor_next: string };
        all.push(...page.data);
        if (!page.has_next) return all;
        cursor = `&cursor=${encodeURIComponent(page.cursor_next)}`;
      }
    };
    const isOpening = async (least: number): Promise<boolean> => {
      await openDoors();
      return uses() >= least;
    };

    for (let kill = 0; kill < KILLS; kill++) {
      await startAll();
      // Events are on their way through the gateway and the bridge when the power fails.
      const least = uses() + 10 * DOORS;
      await expect.poll(() => isOpening(least), { ...POLL, interval: 1 }).toBe(true);
      await killAll();
    }
    await startAll();
    const missing = async (): Promise<string[]> => {
      const ids = new Set((await recorded()).map(({ id }) => id));
      return stored().flatMap(({ id }) => (ids.has(id as string) ? [] : [id]));
    };
    await expect.poll(missing, POLL).toEqual([]);
    const all = await recorded();
    expect(uses()).toBeGreaterThanOrEqual(KILLS * 10 * DOORS);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ reason }) => reason === 'events_lost')).toEqual([]);
  });
});
