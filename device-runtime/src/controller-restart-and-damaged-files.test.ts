import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instant } from '@lintel/access-core/instant';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { DeviceCredentialDigester } from './credentials/credential-digests.ts';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberGroupEntry,
  createMemberEntry,
  createSiteEntry,
  createSnapshotChunk,
} from './testing/snapshot-entries.ts';

type Device = ReturnType<typeof createSimulatedController>;

let folder: string;
let devices: Device[] = [];
let recorded: DeviceEvent[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-device-'));
  devices = [];
  recorded = [];
});
afterEach(async () => {
  for (const device of devices) await device.stop();
  rmSync(folder, { recursive: true });
});

/** Long enough not to occur in an id or a time by chance. */
const PIN = '2580369147';
const WRONG_PIN = '7391826455';
const CARD = '04a1b2c3d4e5f6';

const start = (): Device => {
  const device = createSimulatedController({
    dataDir: folder,
    log: () => undefined,
    system: { now: () => instant(Date.now()), isSynchronized: () => true },
    onEventRecorded: event => void recorded.push(event),
  });
  devices.push(device);
  return device;
};

const stop = async (device: Device): Promise<void> => {
  await device.stop();
  devices = devices.filter(one => one !== device);
};

const serve = async (device: Device): Promise<void> => {
  const digests = new DeviceCredentialDigester(device.digestKey);
  const ann = createMemberEntry(digests, 'mem_ann', { pins: [PIN], cards: [CARD], groups: ['mg_all'] });
  const entries = [
    createDeviceEntry(),
    createSiteEntry(),
    createGadgetEntry({ id: 'gad_door' }),
    createMemberGroupEntry('mg_all', [{}]),
    ann,
  ];
  await device.controller.receiveSnapshot(createSnapshotChunk(entries, 1, digests.keyId));
};

const unsent = (device: Device): DeviceEvent[] => {
  device.controller.eventQueues.restart();
  const sent: DeviceEvent[] = [];
  for (
    let batch = device.controller.eventQueues.next(500);
    batch.length > 0;
    batch = device.controller.eventQueues.next(500)
  )
    sent.push(...batch);
  return sent;
};

const damage = (name: string, position: number, bytes: Uint8Array): void => {
  const handle = openSync(join(folder, name), 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
};

describe('createSimulatedController', () => {
  it('unlocks after a restart without a network, using the cached snapshot', async () => {
    const first = start();
    await serve(first);
    await stop(first);
    const second = start();
    second.keypad.press(PIN);
    expect(second.outputs.isOn('strike-0')).toBe(true);
    expect(unsent(second).map(({ kind }) => kind)).toContain('use');
  });

  it('stores no PIN, card or key in its databases', async () => {
    const device = start();
    await serve(device);
    device.keypad.press(`${WRONG_PIN}#${PIN}`);
    device.reader.tap(CARD);
    await stop(device);
    for (const name of readdirSync(folder).filter(one => one.includes('.db'))) {
      const bytes = readFileSync(join(folder, name));
      for (const secret of [PIN, WRONG_PIN, CARD]) expect(bytes.includes(secret)).toBe(false);
      expect(bytes.includes(Buffer.from(device.digestKey))).toBe(false);
    }
  });

  describe('with damaged files', () => {
    it('discards and reports a damaged snapshot, and the exit button still unlocks', async () => {
      const first = start();
      await serve(first);
      await stop(first);
      writeFileSync(join(folder, 'slice.db'), 'nonsense'.repeat(1_000));
      const second = start();
      expect(second.controller.faults().map(({ code }) => code)).toContain('slice_damaged');
      second.reader.tap(CARD);
      expect(recorded.at(-1)).toMatchObject({ kind: 'deny', reason: 'unknown_credential' });
      await serve(second);
      expect(second.controller.faults().map(({ code }) => code)).not.toContain('slice_damaged');
      second.inputs.press('exit-0');
      expect(second.outputs.isOn('strike-0')).toBe(true);
    });

    it('replaces an event file whose first page is damaged, reports the loss, and continues the numbering', async () => {
      const first = start();
      await serve(first);
      for (let tap = 0; tap < 40; tap++) first.reader.tap(CARD);
      const before = unsent(first).map(({ sequence }) => sequence);
      await stop(first);
      damage('events.db', 0, new Uint8Array(4096).fill(0xff));
      const second = start();
      second.reader.tap(CARD);
      expect(second.outputs.isOn('strike-0')).toBe(true);
      await expect.poll(() => readdirSync(folder).some(name => name.includes('damaged'))).toBe(false);
      const sent = unsent(second);
      expect(sent.filter(({ kind }) => kind === 'use')).toHaveLength(1);
      expect(sent.some(({ fault }) => fault?.startsWith('event_file_damaged'))).toBe(true);
      await expect.poll(() => unsent(second).some(({ lost }) => lost != null)).toBe(true);
      expect(Math.min(...sent.map(({ sequence }) => sequence))).toBeGreaterThan(Math.max(...before));
    });

    it('denies every PIN with a damaged digest key, and reports it', async () => {
      const first = start();
      await serve(first);
      await stop(first);
      writeFileSync(join(folder, 'digest.key'), 'short');
      const second = start();
      expect(second.controller.faults().map(({ code }) => code)).toEqual(
        expect.arrayContaining(['digest_key', 'digest_key_changed']),
      );
      second.keypad.press(`${PIN}#`);
      expect(second.outputs.isOn('strike-0')).toBe(false);
      second.inputs.press('exit-0');
      expect(second.outputs.isOn('strike-0')).toBe(true);
    });
  });

  it('notifies the watchdog when it is ready, and as long as its event loop runs', async () => {
    const said: string[] = [];
    const watchdog = {
      interval_ms: 5,
      ready: () => void said.push('ready'),
      alive: () => void said.push('alive'),
      stopping: () => void said.push('stopping'),
    };
    const device = createSimulatedController({ dataDir: folder, log: () => undefined, watchdog });
    await expect.poll(() => said.slice(0, 2)).toEqual(['ready', 'alive']);
    await device.stop();
    expect(said.at(-1)).toBe('stopping');
  });
});
