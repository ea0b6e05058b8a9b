import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import type { TestBridge } from '../support/bridge/test-bridge.ts';
import { FaultySite, openBridgeInRealTime } from '../support/faults/faulty-site.ts';
import { SmallDisk } from '../support/faults/small-disk.ts';
import { runLintel } from '../support/processes/lintel-command.ts';

const DOORS = 2;
const DISK_MB = 4;
const slow = { tags: ['slow'] };

let bridge: TestBridge;
let site: FaultySite | null = null;
let disk: SmallDisk | null = null;
beforeAll(async () => {
  bridge = await openBridgeInRealTime();
});
afterAll(() => bridge.close());
afterEach(async context => {
  await site?.close(context);
  disk?.unmount();
  [site, disk] = [null, null];
});

const openSite = async (context: TestContext, runs: 'in process' | 'as process') => {
  const mounted = SmallDisk.mounted(context, DISK_MB);
  disk = mounted;
  const opened = await FaultySite.open(bridge, folder => mounted.copyOf(folder));
  site = opened;
  await (runs === 'in process' ? opened.startInProcess() : opened.startProcess());
  await opened.addDoors(DOORS);
  const faults = async (): Promise<string[]> => (await opened.status()).faults.map(({ code }) => code);
  const tap = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count++) {
      opened.tapAll();
      await turn();
    }
  };
  return { site: opened, disk: mounted, faults, tap };
};

describe('Gateway on a full disk', () => {
  it('forwards events, reports that it cannot keep a revocation, and recovers', async context => {
    const { site, disk, faults, tap } = await openSite(context, 'in process');
    disk.fill();
    await tap(40);
    await site.waitUntilAllUploaded();
    await site.expectAllOnce(40);
    await site.site.client.callOk('DELETE', `/members/${site.member}`);
    await site.waitUntil(async () => (await faults()).includes('store'), 'the fault');
    disk.free();
    await site.waitUntil(async () => !(await faults()).includes('store'), 'the fault to end');
  });

  it('delivers all events when the disk fills and empties again and again', slow, async context => {
    const { site, disk, tap } = await openSite(context, 'in process');
    for (let round = 0; round < 6; round++) {
      disk.fill();
      await tap(10);
      disk.free();
      await tap(10);
    }
    await site.waitUntilAllUploaded();
    await site.expectAllOnce(120);
  });

  it('starts after it was killed, serves, and has no fault once there is room', slow, async context => {
    const { site, disk, faults, tap } = await openSite(context, 'as process');
    await site.gateway.stop('SIGKILL');
    disk.fill();
    await site.startProcess();
    await tap(5);
    await site.waitUntilAllUploaded();
    await site.expectAllOnce(5);
    await site.waitUntil(async () => (await faults()).includes('status_address'), 'the fault of the status address');
    disk.free();
    await site.waitUntil(async () => (await faults()).length === 0, 'no fault');
    const { stdout } = await runLintel('gateway', 'status', '--data', site.dataDir, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ device_id: site.gateway.ready.device_id, faults: [] });
    expect(site.gateway.isRunning).toBe(true);
  });
});
