import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberEntry,
  createMemberGroupEntry,
  createSiteEntry,
  createSnapshotChunk,
} from '@lintel/device-runtime/testing';
import { describe, expect, it, type TestContext } from 'vitest';
import { DeviceProcess } from '../support/processes/device-process.ts';
import { SimulatedLcusBoard } from '../support/hardware/simulated-lcus-board.ts';
import { startSilentPcscService, PcscDaemon, pcscProcesses, requirePcsc } from '../support/hardware/pcsc-daemon.ts';
import { openPty, type Pty } from '../support/processes/pty.ts';

const soon = { timeout: 60_000, interval: 10 };
const STRIKE_MS = 3_000;

/** A zombie process has no command line. */
const isAlive = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length > 0;
  } catch {
    return false;
  }
};

/** A profile with a keypad, a PC/SC reader and a USB relay. */
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

/** Stores a snapshot in which Ann has the PIN 2580. */
const writeSlice = async (dataDir: string): Promise<void> => {
  const device = createSimulatedController({ dataDir, log: () => undefined });
  const digests = new DeviceCredentialDigester(device.digestKey);
  const ann = createMemberEntry(digests, 'mem_ann', { pins: ['2580'], groups: ['mg_all'] });
  const entries = [
    createDeviceEntry(),
    createSiteEntry(),
    createGadgetEntry({ id: 'gad_door' }),
    createMemberGroupEntry('mg_all', [{}]),
    ann,
  ];
  await device.controller.receiveSnapshot(createSnapshotChunk(entries, 1, digests.keyId));
  await device.stop();
};

const startDoor = async (context: TestContext) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-pcsc-hangs-'));
  context.onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const [relays, keypad] = [await openPty(), await openPty()];
  context.onTestFinished(async () => void (await Promise.all([relays.close(), keypad.close()])));
  const board = new SimulatedLcusBoard(relays, false);
  await writeSlice(dataDir);
  const profile = join(dataDir, 'profile.json');
  writeFileSync(profile, JSON.stringify(profileOn(relays, keypad)));
  const device = await DeviceProcess.start(dataDir, '--profile', profile);
  context.onTestFinished(async () => void (await device.stop('SIGKILL')));
  const opens = async (): Promise<void> => {
    await keypad.write(Buffer.from('2580'));
    await expect.poll(() => board.isOn(1), soon).toBe(true);
  };
  const locks = async (): Promise<void> => {
    await expect.poll(() => board.isOn(1), soon).toBe(false);
  };
  const stops = async (): Promise<void> => {
    expect(await device.stop()).toBe(0);
  };
  return { device, opens, locks, stops };
};

describe('Controller with a PC/SC reader', () => {
  it('starts, opens, locks and stops when the PC/SC service accepts connections and never answers', {
    tags: ['slow'],
  }, async context => {
    requirePcsc(context);
    const deaf = await startSilentPcscService();
    context.onTestFinished(() => deaf.close());
    const { device, opens, locks, stops } = await startDoor(context);
    await expect.poll(device.log, soon).toContain('The PC/SC service (pcscd) does not respond');
    await opens();
    await locks();
    await stops();
  });

  it('locks, opens again and stops while pcscd is suspended', { tags: ['slow'] }, async context => {
    requirePcsc(context);
    const daemon = await PcscDaemon.start('ACS ACR122U PICC Interface');
    context.onTestFinished(() => daemon.close());
    const { device, opens, locks, stops } = await startDoor(context);
    await expect.poll(() => pcscProcesses(device.process.pid), soon).toHaveLength(1);
    await opens();
    daemon.signal('SIGSTOP');
    await locks();
    await expect.poll(device.log, soon).toContain('The PC/SC service (pcscd) does not respond');
    await opens();
    await locks();
    await stops();
  });

  it('leaves no helper process that waits for a silent service when it is killed', {
    tags: ['slow'],
  }, async context => {
    requirePcsc(context);
    const deaf = await startSilentPcscService();
    context.onTestFinished(() => deaf.close());
    const { device } = await startDoor(context);
    await expect.poll(() => deaf.connections(), soon).toBeGreaterThan(0);
    const helpers = pcscProcesses(device.process.pid);
    expect(helpers).toHaveLength(1);
    await device.stop('SIGKILL');
    await expect.poll(() => helpers.filter(isAlive)).toEqual([]);
  });
});
