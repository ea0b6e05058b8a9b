import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CredentialDigests } from '@lintel/device-runtime/app/credential-digests';
import { createSimulatedController } from '@lintel/device-runtime/main';
import {
  deviceEntry,
  gadgetEntry,
  groupEntry,
  memberEntry,
  siteEntry,
  snapshotOf,
} from '@lintel/device-runtime/testing/door-entries';
import { expect, it, type TestContext } from 'vitest';
import { DeviceProcess } from '../support/processes/device-process.ts';
import { LcusBoard } from '../support/hardware/lcus-board.ts';
import { deafService, PcscDaemon, pcscProcesses, requirePcsc } from '../support/hardware/pcsc-daemon.ts';
import { openPty, type Pty } from '../support/processes/pty.ts';

const patiently = { timeout: 10_000, interval: 20 };
const STRIKE_MS = 2_000;

/** One that has ended and that nobody has asked for its code has no command any more. */
const isAlive = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length > 0;
  } catch {
    return false;
  }
};

/** A keypad, a PC/SC reader, and a relay on a USB board. */
const profileOn = (relays: Pty, keypad: Pty) => {
  const path = new URL('../../hardware-profiles/profiles/usb-only.json', import.meta.url);
  const usbOnly = JSON.parse(readFileSync(path, 'utf8')) as Record<string, object>;
  return {
    ...usbOnly,
    capabilities: { ...usbOnly['capabilities'], audio: false },
    buses: {
      relays: { driver: 'usb-relay', port: { path: relays.path }, outputs: { strike: { channel: 1 } } },
      keypad: { driver: 'serial-keypad', port: { path: keypad.path } },
      nfc: { driver: 'pcsc', readers: { reader: {} } },
    },
    stations: { entrance: { keypad: 'keypad', reader: 'reader' } },
    gadgets: [{ key: 'door', kind: 'door', name: 'Door', strike: 'strike', strike_ms: STRIKE_MS }],
  };
};

/** What the controller would have from its bridge: Ann with the PIN 2580. */
const writeSlice = async (dataDir: string): Promise<void> => {
  const device = createSimulatedController({ dataDir, log: () => undefined });
  const digests = new CredentialDigests(device.digestKey);
  const ann = memberEntry(digests, 'mem_ann', { pins: ['2580'], groups: ['mg_all'] });
  const entries = [deviceEntry(), siteEntry(), gadgetEntry({ id: 'gad_door' }), groupEntry('mg_all', [{}]), ann];
  await device.controller.receiveSlice(snapshotOf(entries, 1, digests.keyId));
  await device.stop();
};

const startDoor = async (context: TestContext) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-pcsc-hangs-'));
  context.onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const [relays, keypad] = [await openPty(), await openPty()];
  context.onTestFinished(async () => void (await Promise.all([relays.close(), keypad.close()])));
  const board = new LcusBoard(relays, false);
  await writeSlice(dataDir);
  const profile = join(dataDir, 'profile.json');
  writeFileSync(profile, JSON.stringify(profileOn(relays, keypad)));
  const device = await DeviceProcess.start(dataDir, '--profile', profile);
  context.onTestFinished(async () => void (await device.stop('SIGKILL')));
  const opens = async (): Promise<void> => {
    await keypad.write(Buffer.from('2580'));
    await expect.poll(() => board.isOn(1), { timeout: 3_000, interval: 10 }).toBe(true);
  };
  const locks = async (): Promise<void> => {
    const began = performance.now();
    await expect.poll(() => board.isOn(1), patiently).toBe(false);
    expect(performance.now() - began).toBeLessThan(STRIKE_MS + 3_000);
  };
  const stops = async (): Promise<void> => {
    const began = performance.now();
    expect(await device.stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(5_000);
  };
  return { device, opens, locks, stops };
};

it('a door with a PC/SC service that takes connections and says nothing starts, opens, locks and stops', async context => {
  requirePcsc(context);
  const deaf = await deafService();
  context.onTestFinished(() => deaf.close());
  const { device, opens, locks, stops } = await startDoor(context);
  await expect.poll(device.log, patiently).toContain('the PC/SC service (pcscd) does not answer');
  await opens();
  await locks();
  await stops();
});

it('a door locks in time, opens again and stops while pcscd hangs', async context => {
  requirePcsc(context);
  const daemon = await PcscDaemon.start('ACS ACR122U PICC Interface');
  context.onTestFinished(() => daemon.close());
  const { device, opens, locks, stops } = await startDoor(context);
  await expect.poll(() => pcscProcesses(device.process.pid), patiently).toHaveLength(1);
  await opens();
  daemon.signal('SIGSTOP');
  await locks();
  await expect.poll(device.log, patiently).toContain('the PC/SC service (pcscd) does not answer');
  await opens();
  await locks();
  await stops();
});

it('the process beside a door ends with it, though it waits for a service that says nothing', async context => {
  requirePcsc(context);
  const deaf = await deafService();
  context.onTestFinished(() => deaf.close());
  const { device } = await startDoor(context);
  await expect.poll(() => deaf.connections(), patiently).toBeGreaterThan(0);
  const beside = pcscProcesses(device.process.pid);
  expect(beside).toHaveLength(1);
  await device.stop('SIGKILL');
  await expect.poll(() => beside.filter(isAlive)).toEqual([]);
});
