import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { TestBridge } from '../support/bridge/test-bridge.ts';
import { FirmwareSite } from '../support/devices/firmware-site.ts';
import { storedEvents } from '../support/devices/read-stored-controller-events.ts';
import { compiler, FailingWrites } from '../support/faults/failing-writes.ts';
import { openBridgeInRealTime } from '../support/faults/faulty-site.ts';
import { simulatedDeviceCall, typeAtSimulatedKeypad } from '../support/processes/device-process.ts';
import { startLintel, type StartedProgram } from '../support/processes/start-program.ts';
import { requireProgram } from '../support/require-program.ts';
import { waitUntil } from '../support/wait-until.ts';

const NO_BRIDGE = 'mqtt://127.0.0.1:1';

let bridge: TestBridge;
let site: FirmwareSite;
beforeAll(async () => {
  bridge = await openBridgeInRealTime();
  site = await FirmwareSite.open(bridge);
});
afterAll(async () => {
  await site.close();
  await bridge.close();
});

const countUses = (events: readonly { readonly kind?: unknown }[]): number =>
  events.filter(({ kind }) => kind === 'use').length;

/** A claimed controller that runs as a process, with a disk that fails on demand. */
const openDoor = async (pin: string) => {
  const door = await site.claimController();
  await site.createMember(await site.createGroup(door.gadgetId), { pin });
  door.start();
  await door.waitUntilSynced();
  await door.waitUntilEventsUploaded();
  await door.stop();
  const { dataDir } = door;
  const disk = new FailingWrites(dataDir);
  const memory = mkdtempSync(join(tmpdir(), 'lintel-memory-'));
  let device: StartedProgram<object> | null = null;
  onTestFinished(async () => {
    await device?.stop('SIGKILL');
    disk.close();
    rmSync(memory, { recursive: true });
  });
  const inMemory = () =>
    readdirSync(memory).flatMap(name =>
      readFileSync(join(memory, name), 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as { readonly kind: string }),
    );
  const start = async (url: string): Promise<void> => {
    const env = { ...process.env, ...disk.environment, RUNTIME_DIRECTORY: memory };
    device = await startLintel(simulatedDeviceCall(dataDir, '--upstream', url), { env });
  };
  let uses = 0;
  const use = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count++) {
      await typeAtSimulatedKeypad(dataDir, pin);
      uses++;
      await waitUntil(
        () => countUses(storedEvents(dataDir)) + countUses(inMemory()) >= uses,
        () => `the event of use ${uses}: ${device?.log()}`,
      );
    }
  };
  const kill = async (): Promise<void> => {
    await device?.stop('SIGKILL');
  };
  const upload = async () => {
    door.start();
    await door.waitUntilSynced();
    await door.waitUntilEventsUploaded();
    await door.stop();
    const events = await site.events(`object.device_id=${door.deviceId}`);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    return {
      uses: events.filter(({ object }) => (object as { type: string }).type === 'gadget_action').length,
      lost: events.filter(({ reason }) => reason === 'events_lost'),
    };
  };
  return { disk, start, use, kill, upload, inMemory };
};

describe('Controller that is killed', () => {
  it('while its disk rejects all writes and it is offline: keeps each event for the next process', {
    tags: ['slow'],
  }, async context => {
    requireProgram(context, compiler);
    const { disk, start, use, kill, upload, inMemory } = await openDoor('2580');
    await start(NO_BRIDGE);
    await use(6);
    disk.begin();
    await use(30);
    await kill();
    expect(countUses(inMemory())).toBe(30);
    disk.end();
    await start(NO_BRIDGE);
    await waitUntil(
      () => inMemory().length === 0,
      () => `events in memory to be written: ${inMemory().length}`,
    );
    await use(1);
    await kill();
    expect(await upload()).toEqual({ uses: 37, lost: [] });
  });

  it('at work: reports no loss', { tags: ['slow'] }, async context => {
    requireProgram(context, compiler);
    const { start, use, kill, upload } = await openDoor('3691');
    for (let round = 1; round <= 3; round++) {
      await start(NO_BRIDGE);
      await use(round);
      await kill();
    }
    expect(await upload()).toEqual({ uses: 6, lost: [] });
  });
});
