import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProfile } from '@lintel/hardware-profiles/check-profile';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import { createController } from '@lintel/device-runtime/main';
import { openHardware } from '@lintel/device-runtime/hardware';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberEntry,
  createMemberGroupEntry,
  createSiteEntry,
  createSnapshotChunk,
} from '@lintel/device-runtime/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireProgram } from '../support/require-program.ts';
import { SimulatedLcusBoard } from '../support/hardware/simulated-lcus-board.ts';
import { openPty, Pty, requiredPython } from '../support/processes/pty.ts';

beforeEach(context => requireProgram(context, requiredPython));

let closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
});

const usbOnly = JSON.parse(
  readFileSync(new URL('../../hardware-profiles/profiles/usb-only.json', import.meta.url), 'utf8'),
) as { buses: Record<string, object>; stations: object };

/** The relays of the product on one line, a keypad that sends text on another, no reader. */
const profileOn = (relays: string, keypad: string, keys?: object) => {
  const checked = checkProfile({
    ...usbOnly,
    capabilities: { ...(usbOnly as unknown as { capabilities: object }).capabilities, nfc: false },
    buses: {
      relays: { ...usbOnly.buses['relays'], port: { path: relays } },
      keypad: { driver: 'serial-keypad', port: { path: keypad }, keys },
    },
    stations: { entrance: { keypad: 'keypad', indicator: { buzzer: 'buzzer' } } },
  });
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.profile;
};

const start = async (relays: Pty, keypad: Pty, keys?: object) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-profile-parts-'));
  const log = () => undefined;
  const parts = await openHardware(profileOn(relays.path, keypad.path, keys), {
    log,
    clock: new ProcessClock(),
    dataDir,
  });
  const device = createController({ ...parts, dataDir, log });
  const { controller, digestKey } = device;
  closing.push(
    () => rmSync(dataDir, { recursive: true }),
    () => parts.close(),
    () => device.stop(),
  );
  const digests = new DeviceCredentialDigester(digestKey);
  const ann = createMemberEntry(digests, 'mem_ann', { pins: ['2580'], groups: ['mg_all'] });
  const entries = [
    createDeviceEntry(),
    createSiteEntry(),
    createGadgetEntry({ id: 'gad_door' }),
    createMemberGroupEntry('mg_all', [{}]),
    ann,
  ];
  await controller.receiveSnapshot(createSnapshotChunk(entries, 1, digests.keyId));
  return { controller, codes: () => controller.faults().map(({ code }) => code) };
};

const line = async (): Promise<Pty> => {
  const pty = await openPty();
  closing.push(() => pty.close());
  return pty;
};

/** Types until the door opens, because nothing indicates when the port is open. */
const typed =
  (keypad: Pty, board: SimulatedLcusBoard, keys = '2580') =>
  async (): Promise<boolean> => {
    if (!board.isOn(1)) await keypad.write(Buffer.from(keys));
    return board.isOn(1);
  };

describe('Parts of a profile', () => {
  it('open a door by a serial keypad and a serial relay', async () => {
    const [relays, keypad] = [await line(), await line()];
    const board = new SimulatedLcusBoard(relays, false);
    const { codes } = await start(relays, keypad);
    await expect.poll(codes).toEqual([]);
    await expect.poll(typed(keypad, board), { interval: 300 }).toBe(true);
  });

  it('use the key map of the profile for a serial keypad', async () => {
    const [relays, keypad] = [await line(), await line()];
    const board = new SimulatedLcusBoard(relays, false);
    const { codes } = await start(relays, keypad, { x: '2', '0x1b': '5', '~': null });
    await expect.poll(typed(keypad, board, '~x\u001BA80'), { interval: 300 }).toBe(true);
    expect(codes()).toEqual([]);
  });

  it('report an unplugged part by name and recover when it is plugged in', async () => {
    const [relays, keypad] = [await line(), await line()];
    const board = new SimulatedLcusBoard(relays, false);
    const { codes } = await start(relays, keypad);
    await expect.poll(codes).toEqual([]);
    await keypad.unplug();
    await expect.poll(codes).toEqual(['keypad:entrance']);
    await relays.unplug();
    await expect.poll(codes).toEqual(['keypad:entrance', 'outputs:relays']);
    board.reset();
    await Promise.all([relays.plugIn(), keypad.plugIn()]);
    await expect.poll(codes).toEqual([]);
    await expect.poll(typed(keypad, board), { interval: 300 }).toBe(true);
  });

  it('start while parts are missing, report them, and open them when they appear', async () => {
    const [relays, keypad] = [new Pty(), new Pty()];
    closing.push(
      () => relays.close(),
      () => keypad.close(),
    );
    const board = new SimulatedLcusBoard(relays, false);
    const { codes } = await start(relays, keypad);
    await expect
      .poll(() =>
        codes()
          .filter(code => !code.startsWith('output:'))
          .sort(),
      )
      .toEqual(['keypad:entrance', 'outputs:relays']);
    await Promise.all([relays.plugIn(), keypad.plugIn()]);
    await expect.poll(codes).toEqual([]);
    await expect.poll(typed(keypad, board), { interval: 300 }).toBe(true);
  });
});
