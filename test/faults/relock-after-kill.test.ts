import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createDeviceEntry,
  createGadgetEntry,
  createSiteEntry,
  createSnapshotChunk,
} from '@lintel/device-runtime/testing';
import { requireProgram } from '../support/require-program.ts';
import { programFile } from '../support/processes/bundled-programs.ts';
import { SimulatedLcusBoard } from '../support/hardware/simulated-lcus-board.ts';
import { connectModbusSlaves, SimulatedModbusSlave } from '../support/hardware/simulated-modbus-slave.ts';
import { SimulatedPeripheral } from '../support/osdp-peripheral/simulated-peripheral.ts';
import { openPty, type Pty, requiredPython } from '../support/processes/pty.ts';

const controllerProcess = programFile('wired-controller');
const usbOnly = JSON.parse(
  readFileSync(new URL('../../hardware-profiles/profiles/usb-only.json', import.meta.url), 'utf8'),
) as Record<'capabilities' | 'gadgets', object> & { readonly gadgets: readonly object[] };

/** The board at the other end of the serial line. It keeps its relays when the controller dies. */
interface Board {
  isStrikeOn(): boolean;
  /** The time of the board; its pulses end. */
  pass(milliseconds: number): void;
}

interface OutputKind {
  readonly bus: object;
  readonly connect: (pty: Pty) => Board;
}

const modbusBoard = (pty: Pty): Board => {
  const slave = new SimulatedModbusSlave();
  connectModbusSlaves(pty, { 1: slave });
  return { isStrikeOn: () => slave.isOn(0), pass: ms => slave.advance(ms) };
};
const modbus = { driver: 'modbus', baud_rate: 9600, outputs: { door_relay: { unit: 1, coil: 0 } } };

const kinds = {
  'a Modbus relay': { bus: modbus, connect: modbusBoard },
  'a Modbus relay with pulses': {
    bus: { ...modbus, pulse: { base: 512, unit_ms: 100 } },
    connect: modbusBoard,
  },
  'a USB relay': {
    bus: { driver: 'usb-relay', outputs: { door_relay: { channel: 1 } } },
    connect: pty => {
      const board = new SimulatedLcusBoard(pty, false);
      return { isStrikeOn: () => board.isOn(1), pass: () => undefined };
    },
  },
  'the relay of an OSDP reader': {
    bus: {
      driver: 'osdp',
      baud_rate: 9600,
      readers: { front_reader: { address: 0, outputs: { door_relay: { output: 0 } } } },
    },
    connect: pty => {
      const write = (bytes: Buffer): void => void pty.write(bytes).catch(() => undefined);
      const reader = new SimulatedPeripheral({ address: 0, write });
      pty.onBytes(bytes => reader.receive(bytes));
      return { isStrikeOn: () => reader.parts.outputs[0]!, pass: ms => reader.parts.timers.advance(ms) };
    },
  },
} satisfies Record<string, OutputKind>;

const LONGEST_STRIKE_MS = 60_000;

describe('Controller that is killed while its door is unlocked', { tags: ['slow'] }, () => {
  let folder: string;
  let pty: Pty;
  let controller: ChildProcessWithoutNullStreams | null = null;

  beforeEach(async context => {
    requireProgram(context, requiredPython);
    folder = mkdtempSync(join(tmpdir(), 'lintel-relock-'));
    pty = await openPty();
    const device = createSimulatedController({ dataDir: folder, log: () => undefined });
    const { keyId } = new DeviceCredentialDigester(device.digestKey);
    const entries = [createDeviceEntry(), createSiteEntry(), createGadgetEntry({ id: 'gad_door' })];
    await device.controller.receiveSnapshot(createSnapshotChunk(entries, 1, keyId));
    await device.stop();
  });
  afterEach(async () => {
    await kill();
    await pty.close();
    rmSync(folder, { recursive: true });
  });

  const kill = async (): Promise<void> => {
    const running = controller;
    controller = null;
    if (running === null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  };

  const start = async (bus: object): Promise<void> => {
    const file = join(folder, 'test-profile.json');
    const { capabilities, gadgets } = usbOnly;
    const profile = {
      ...usbOnly,
      capabilities: { ...capabilities, pin: false, nfc: false, input_rules: false, audio: false },
      buses: { relays: { ...bus, port: { path: pty.path } } },
      stations: {},
      gadgets: gadgets.slice(0, 1).map(gadget => ({ ...gadget, station: undefined })),
      feedback: undefined,
    };
    writeFileSync(file, JSON.stringify(profile));
    controller = spawn(process.execPath, [controllerProcess, folder, file]);
    await once(createInterface({ input: controller.stdout }), 'line');
  };

  /** Repeated, because nothing tells when the board is online. */
  const unlock = async (board: Board): Promise<void> => {
    const openAgain = (): boolean => {
      if (!board.isStrikeOn()) controller!.stdin.write('open\n');
      return board.isStrikeOn();
    };
    await expect.poll(openAgain, { interval: 200, timeout: 30_000 }).toBe(true);
  };

  const relocksAfterRestart = async ({ bus, connect }: OutputKind): Promise<void> => {
    const board = connect(pty);
    await start(bus);
    await unlock(board);
    await kill();
    expect(board.isStrikeOn()).toBe(true);
    await start(bus);
    await expect.poll(() => board.isStrikeOn(), { timeout: 30_000 }).toBe(false);
  };

  it.each(Object.entries<OutputKind>(kinds))('locks it when it starts again: %s', (_, kind) =>
    relocksAfterRestart(kind),
  );

  it.each(['a Modbus relay with pulses', 'the relay of an OSDP reader'] as const)(
    'leaves the lock to the board, which ends the pulse: %s',
    async kind => {
      const board = kinds[kind].connect(pty);
      await start(kinds[kind].bus);
      await unlock(board);
      await kill();
      board.pass(LONGEST_STRIKE_MS);
      expect(board.isStrikeOn()).toBe(false);
    },
  );
});
