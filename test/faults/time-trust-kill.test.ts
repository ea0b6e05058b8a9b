import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { afterEach, describe, expect, it } from 'vitest';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { FirmwareSite } from '../support/devices/firmware-site.ts';
import { storedEvents } from '../support/devices/read-stored-controller-events.ts';
import { DeviceProcess } from '../support/processes/device-process.ts';

const PIN = '2580';
const NO_NETWORK = 'mqtt://127.0.0.1:1';
const POLL = { timeout: 60_000, interval: 100 };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

describe('Controller process that is killed', { tags: ['slow'] }, () => {
  it('trusts its time without a network after a restart, and not after a power cycle', async () => {
    const bridge = await TestBridge.open({ clock: () => instant(Date.now()) });
    bridge.now = instant(Date.now());
    const site = await FirmwareSite.open(bridge);
    const { dataDir, gadgetId } = await site.claimController();
    await site.createMember(await site.createGroup(gadgetId), { pin: PIN });
    cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }));
    let device: DeviceProcess;
    const start = async (upstream: string): Promise<void> => {
      device = await DeviceProcess.start(dataDir, '--upstream', upstream);
    };
    const kill = (): Promise<unknown> => device.stop('SIGKILL');
    cleanups.push(() => kill());
    /** Opens the door and returns whether the time of the event is trusted. */
    const openDoor = async (): Promise<boolean> => {
      const uses = () => storedEvents(dataDir).filter(({ kind }) => kind === 'use');
      const before = uses().length;
      await device.type(`${PIN}#`);
      await expect.poll(() => uses().length, POLL).toBeGreaterThan(before);
      return uses().at(-1)!.time_trusted;
    };

    await start(site.url);
    await expect.poll(() => device.type(`${PIN}#`).then(() => storedEvents(dataDir).length > 2), POLL).toBe(true);
    await expect.poll(openDoor, POLL).toBe(true);
    await kill();
    await bridge.close();

    await start(NO_NETWORK);
    expect(await openDoor()).toBe(true);
    await kill();

    const file = join(dataDir, 'state', 'clock.json');
    const saved = readFileSync(file, 'utf8');
    const otherBoot = saved.replaceAll(/"boot_id":"[^"]+"/g, '"boot_id":"another-boot"');
    expect(otherBoot).not.toBe(saved);
    writeFileSync(file, otherBoot);
    await start(NO_NETWORK);
    expect(await openDoor()).toBe(false);
  });
});
