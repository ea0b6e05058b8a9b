import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import type { TestBridge } from '../support/bridge/test-bridge.ts';
import { FaultySite, openBridgeInRealTime } from '../support/faults/faulty-site.ts';
import { SmallDisk } from '../support/faults/small-disk.ts';

/** The controller reserves 4 MB, if the disk has four times as much left. */
const WITH_RESERVE_MB = 32;
const WITHOUT_RESERVE_MB = 12;
const RESERVE_BYTES = 3.9 * 2 ** 20;

let bridge: TestBridge;
let site: FaultySite | null = null;
let disk: SmallDisk | null = null;
let image: string | null = null;
beforeAll(async () => {
  bridge = await openBridgeInRealTime();
});
afterAll(() => bridge.close());
afterEach(async context => {
  await site?.close(context);
  disk?.unmount();
  if (image !== null) rmSync(image, { recursive: true });
  [site, disk, image] = [null, null, null];
});

const countReserveParts = (file: string): number => {
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    return database.prepare<[], number>('SELECT count(*) FROM reserve').pluck().get()!;
  } finally {
    database.close();
  }
};

/** A controller on a small disk, behind a gateway. */
const openDoor = async (context: TestContext, megabytes: number) => {
  const mounted = SmallDisk.mounted(context, megabytes);
  disk = mounted;
  const opened = await FaultySite.open(bridge);
  site = opened;
  await opened.startInProcess();
  await opened.addDoors(1);
  const door = opened.doors[0]!;
  await door.stop();
  const dataDir = mounted.copyOf(door.dataDir);
  const start = async (): Promise<void> => {
    door.start(opened.lan.url, { dataDir });
    await opened.waitUntil(() => door.running.upstream()?.connected === true, 'the controller to be connected');
  };
  /** The disk keeps what it contains at this moment. */
  const cutPower = async (): Promise<void> => {
    image = mkdtempSync(join(tmpdir(), 'lintel-image-'));
    cpSync(dataDir, image, { recursive: true });
    const happened = door.recorded.length;
    await door.stop();
    door.recorded.length = happened;
    mounted.free();
    rmSync(dataDir, { recursive: true });
    cpSync(image, dataDir, { recursive: true });
  };
  const tap = (times: number): void => {
    for (let count = 0; count < times; count++) opened.tapAll();
  };
  await start();
  await opened.waitUntilAllUploaded();
  const file = join(dataDir, 'events.db');
  // The space is taken in parts, and then released for events.
  const isReserved = (): boolean =>
    [file, `${file}-wal`].every(path => statSync(path).size >= RESERVE_BYTES) && countReserveParts(file) === 0;
  if (megabytes === WITH_RESERVE_MB) await opened.waitUntil(isReserved, 'the reserve');
  door.recorded.length = 0;
  return { site: opened, disk: mounted, door, start, cutPower, tap };
};

const hasCode = (code: string): unknown => expect.objectContaining({ code });
const eventsOf = (opened: FaultySite) => opened.site.events(`object.device_id=${opened.doors[0]!.deviceId}`);

describe('Controller with a full disk that loses power', () => {
  it('keeps the events that only it has in the reserved space', async context => {
    const { site, disk, door, start, cutPower, tap } = await openDoor(context, WITH_RESERVE_MB);
    site.lan.cut();
    disk.fill();
    tap(300);
    await cutPower();
    site.lan.restore();
    await start();
    tap(1);
    await site.waitUntilAllUploaded();
    const ids = (await eventsOf(site)).map(({ id }) => id);
    expect(door.recorded.filter(({ kind }) => kind === 'use')).toHaveLength(301);
    expect(door.recorded.filter(({ id }) => !ids.includes(id))).toEqual([]);
  });

  it('reports exactly the events that nobody has without that space', { tags: ['slow'] }, async context => {
    const { site, disk, door, start, cutPower, tap } = await openDoor(context, WITHOUT_RESERVE_MB);
    const faults = async (): Promise<unknown> =>
      (await site.site.client.callOk('GET', `/devices/${door.deviceId}`)).status;
    disk.fill();
    tap(10);
    await site.waitUntilAllUploaded();
    await expect.poll(faults).toMatchObject({ faults: expect.arrayContaining([hasCode('disk_almost_full')]) });
    site.lan.cut();
    tap(7);
    const lost = door.running.controller.waitingEventCount();
    const sequences = door.recorded.slice(-lost).map(({ sequence }) => sequence);
    await cutPower();
    site.lan.restore();
    await start();
    await site.waitUntilAllUploaded();
    await site.waitUntil(async () => (await eventsOf(site)).some(({ reason }) => reason === 'events_lost'), 'a report');
    const reports = (await eventsOf(site)).filter(({ reason }) => reason === 'events_lost');
    expect(lost).toBeGreaterThanOrEqual(7);
    const details = { lost_count: String(lost), lost_first: String(sequences[0]), lost_last: String(sequences.at(-1)) };
    expect(reports).toMatchObject([{ details }]);
    await expect.poll(faults).toMatchObject({ faults: [] });
  });
});
