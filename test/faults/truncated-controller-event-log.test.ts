import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestBridge } from '../support/bridge/test-bridge.ts';
import { FirmwareSite, type FirmwareController } from '../support/devices/firmware-site.ts';
import { storedEvents } from '../support/devices/read-stored-controller-events.ts';
import { openBridgeInRealTime } from '../support/faults/faulty-site.ts';
import { iterations } from '../support/test-iterations-and-seed.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { DoorEvent } from './campaign/checker/round-history-types.ts';
import { CampaignController } from './campaign/system/campaign-controller.ts';

const CARD = '04a1b2c3d4e5f6';
const NO_BRIDGE = 'mqtt://127.0.0.1:1';
const PAGE = 4096;
const USES = 12;

let bridge: TestBridge;
let site: FirmwareSite;
let door: FirmwareController;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-log-cut-'));
  bridge = await openBridgeInRealTime();
  site = await FirmwareSite.open(bridge);
  door = await site.claimController();
  await site.createMember(await site.createGroup(door.gadgetId), { uid: CARD });
  door.start();
  await door.waitUntilSynced();
  await door.waitUntilEventsUploaded();
  await door.stop();
});
afterAll(async () => {
  await site.close();
  await bridge.close();
  rmSync(folder, { recursive: true });
});

/** Runs the controller as a process, opens its door, and kills it. Returns the events that it has recorded. */
const useAndKill = async (dataDir: string, url: string): Promise<DoorEvent[]> => {
  const { gadgetId, deviceId } = door;
  const controller = new CampaignController('1', { door: gadgetId, deviceId }, dataDir, url);
  await controller.part.start();
  const events: DoorEvent[] = [];
  for (let use = 0; use < USES; use++) {
    const { event } = await controller.present(CARD);
    if (event !== null) events.push(event);
    if (url === NO_BRIDGE || use !== USES / 2) continue;
    // The acknowledgements are in the log, too.
    await waitUntil(
      async () => (await controller.status())?.waiting === 0,
      () => `an upload: ${controller.part.log}`,
    );
  }
  await controller.part.kill();
  expect(events).toHaveLength(USES);
  return events;
};

const logOf = (dataDir: string): string => join(dataDir, 'events.db-wal');

interface LostRange {
  readonly first: number;
  readonly last: number;
}

const findUnexplained = (events: readonly DoorEvent[], ids: ReadonlySet<string>, lost: readonly LostRange[]) =>
  events.filter(
    ({ id, sequence }) => !ids.has(id) && !lost.some(({ first, last }) => first <= sequence && sequence <= last),
  );

/** A controller salvages a damaged event file in the background, and reports what is lost at the end. */
const waitUntilSalvaged = (dataDir: string): Promise<void> =>
  waitUntil(
    () => !readdirSync(dataDir).some(name => name.includes('.damaged-')),
    () => `the end of the recovery: ${readdirSync(dataDir).join(', ')}`,
  );

/** The events and reported losses that a controller has after it starts on these files. */
const restartOffline = async (dataDir: string) => {
  const device = createSimulatedController({ dataDir, log: () => undefined });
  await waitUntilSalvaged(dataDir);
  device.reader.tap(CARD);
  const isOpen = device.outputs.isOn('strike-0');
  await device.stop();
  const stored = storedEvents(dataDir);
  return { isOpen, stored, lost: stored.flatMap(({ lost }) => lost ?? []) };
};

describe('Controller that is killed and whose event log loses its end', () => {
  it('has or reports each event, wherever the log ends', { timeout: 600_000 }, async () => {
    const killed = join(folder, 'killed');
    cpSync(door.dataDir, killed, { recursive: true });
    const events = await useAndKill(killed, NO_BRIDGE);
    const { size } = statSync(logOf(killed));
    const used = Math.min(size, (events.length + 30) * (PAGE + 24));
    const boundaries = Array.from({ length: Math.ceil(used / PAGE) }, (_, page) => page * PAGE);
    const lengths = boundaries.flatMap(at => [at, Math.min(size, at + 1 + ((at * 31) % PAGE))]);
    const step = Math.ceil(lengths.length / iterations({ sample: 6, all: lengths.length }));
    let losses = 0;
    for (const length of lengths.filter((_, index) => index % step === 0)) {
      const dataDir = join(folder, 'case');
      cpSync(killed, dataDir, { recursive: true });
      truncateSync(logOf(dataDir), length);
      const { isOpen, stored, lost } = await restartOffline(dataDir);
      const missing = events.filter(({ id }) => !stored.some(event => event.id === id));
      losses += missing.length;
      expect({
        length,
        isOpen,
        unexplained: findUnexplained(missing, new Set(), lost),
      }).toEqual({ length, isOpen: true, unexplained: [] });
      rmSync(dataDir, { recursive: true });
    }
    expect(losses).toBeGreaterThan(0);
  });

  it('has each event at the bridge or reports it as lost there', { timeout: 600_000, tags: ['slow'] }, async () => {
    const events: DoorEvent[] = [];
    const rounds = iterations({ sample: 2, all: 16 });
    for (let round = 0; round < rounds; round++) {
      events.push(...(await useAndKill(door.dataDir, round % 2 === 0 ? site.url : NO_BRIDGE)));
      const { size } = statSync(logOf(door.dataDir));
      const page = 1 + ((round * 7) % 16);
      truncateSync(logOf(door.dataDir), Math.min(size, page * PAGE + (round % 3 === 0 ? 0 : round * 97)));
    }
    door.start();
    await door.waitUntilSynced();
    await waitUntilSalvaged(door.dataDir);
    await door.waitUntilEventsUploaded();
    await door.stop();
    const uploaded = await site.events(`object.device_id=${door.deviceId}`);
    const lost = uploaded
      .filter(({ reason }) => reason === 'events_lost')
      .map(event => event['details'] as Readonly<Record<'lost_first' | 'lost_last', string>>)
      .map(({ lost_first, lost_last }) => ({ first: Number(lost_first), last: Number(lost_last) }));
    const ids = uploaded.map(({ id }) => id);
    expect(findUnexplained(events, new Set(ids), lost)).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(lost.length).toBeGreaterThan(0);
  });
});
