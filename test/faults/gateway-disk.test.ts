import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it, type TestContext } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';
import { FaultySite } from '../support/faults/faulty-site.ts';
import { SmallDisk } from '../support/faults/small-disk.ts';

const DOORS = 2;
const DISK_MB = 4;

let site: FaultySite;
let disk: SmallDisk;
afterEach(async () => {
  await site.close();
  disk.unmount();
});

const begin = async (context: TestContext): Promise<void> => {
  disk = SmallDisk.mounted(context, DISK_MB);
  site = await FaultySite.open(folder => disk.copyOf(folder));
  await site.startProcess();
  await site.newDoors(DOORS);
};

const faults = async (): Promise<string[]> => (await site.status()).faults.map(({ code }) => code);

it('a full disk costs nothing while the line holds: it is said, and what happens passes straight through', async context => {
  await begin(context);
  disk.fill();
  for (let tap = 0; tap < 40; tap++) {
    site.tapAll();
    await turn();
  }
  await site.allReported();
  await site.expectAllOnceInOrder(40);
  expect(await faults()).toContain('store');
  disk.free();
  site.tapAll();
  await site.allReported();
  await site.until(async () => !(await faults()).includes('store'), 'the fault gone');
  expect(site.gateway.isRunning).toBe(true);
});

it('with the line cut as well, what does not fit stays with the controllers until the line is back', async context => {
  await begin(context);
  site.uplink.cut();
  await site.untilConnected(false);
  for (let tap = 0; tap < 10; tap++) site.tapAll();
  await site.until(async () => (await site.status()).queue.events > 0, 'something in the store');
  disk.fill();
  for (let tap = 0; tap < 30; tap++) {
    site.tapAll();
    await turn();
  }
  await site.until(async () => (await faults()).includes('store'), 'the fault');
  site.uplink.restore();
  await site.allReported();
  await site.expectAllOnceInOrder(40);
  expect(site.gateway.isRunning).toBe(true);
  await site.until(async () => (await site.status()).queue.frames === 0, 'nothing in the store');
  expect((await site.status()).queue.oldest_at).toBeNull();
});

it('a disk that fills and empties while doors open changes neither what arrives nor its order', async context => {
  await begin(context);
  let taps = 0;
  for (let round = 0; round < 6; round++) {
    disk.fill();
    for (let tap = 0; tap < 10; tap++, taps++) {
      site.tapAll();
      await turn();
    }
    disk.free();
    for (let tap = 0; tap < 10; tap++, taps++) {
      site.tapAll();
      await turn();
    }
  }
  await site.allReported();
  await site.expectAllOnceInOrder(taps);
});

it('a gateway that starts on a full disk serves all the same', async context => {
  await begin(context);
  await site.gateway.stop('SIGKILL');
  disk.fill();
  await site.startProcess();
  for (let tap = 0; tap < 5; tap++) site.tapAll();
  await site.allReported();
  await site.expectAllOnceInOrder(5);
});

it('a gateway that started on a full disk is found and has no fault left once there is room, though nobody says anything', async context => {
  await begin(context);
  await site.gateway.stop('SIGKILL');
  disk.fill();
  await site.startProcess();
  site.tapAll();
  await site.allReported();
  await site.until(async () => (await faults()).includes('store'), 'the fault of the store');
  expect(await faults()).toContain('status_address');
  disk.free();
  await site.until(async () => (await faults()).length === 0, 'no fault');
  const { stdout } = await runLintel('gateway', 'status', '--data', site.dataDir, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ device_id: site.gateway.ready.device_id, faults: [] });
});

it('what a gateway has kept leaves with the line, though it could not be read at the start for want of room', async context => {
  await begin(context);
  site.uplink.cut();
  await site.untilConnected(false);
  for (let tap = 0; tap < 5; tap++) site.tapAll();
  await site.until(async () => (await site.status()).queue.events > 0, 'something in the store');
  for (const door of site.doors) await door.stop();
  await site.gateway.stop();
  disk.fill();
  await site.startProcess();
  expect((await site.status()).queue.events).toBe(0);
  disk.free();
  await site.until(async () => (await faults()).length === 0, 'no fault');
  expect((await site.status()).queue.events).toBeGreaterThan(0);
  site.uplink.restore();
  await site.until(async () => (await site.status()).queue.events === 0, 'all of it at the bridge');
});
