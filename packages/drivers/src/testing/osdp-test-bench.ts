import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { type OsdpInputLineConfig, OsdpInputs } from '../osdp/osdp-inputs.ts';
import { OsdpBus } from '../osdp/osdp-bus.ts';
import type { OsdpPeripheral } from '../osdp/osdp-peripheral.ts';
import type { OsdpSecurityMode } from '../osdp/peripheral-state-types.ts';
import { OsdpReaderKeyFileStore } from '../osdp/reader-key-file-store.ts';
import { ReconnectingSerialLine } from '../serial-line/reconnecting-serial-line.ts';
import type { Log } from '@lintel/service/log-function-type';
import { vi } from 'vitest';
import { openPty, type Pty } from '@lintel/test/support/processes/pty';
import { type PeripheralOptions, SimulatedPeripheral } from '@lintel/test/support/osdp-peripheral/simulated-peripheral';

const BAUD_RATE = 115_200;

export interface OsdpTestBenchReader extends Omit<PeripheralOptions, 'write'> {
  readonly security: OsdpSecurityMode;
  readonly crc?: boolean;
}

/** Waits until the condition holds. */
export const waitUntil = async (what: string, isMet: () => boolean): Promise<void> => {
  await vi.waitUntil(isMet, { timeout: 60_000, interval: 2 }).catch((error: unknown) => {
    throw new Error(`Timed out waiting until ${what}`, { cause: error });
  });
};

/** An OSDP bus with simulated readers at one end of a pseudo terminal and the control panel at the other. */
export class OsdpTestBench {
  readonly clock = new ProcessClock();
  readonly keys: OsdpReaderKeyFileStore;
  readonly logged: string[] = [];
  readonly pty: Pty;
  readonly readers: ReadonlyMap<number, SimulatedPeripheral>;
  readonly #options: readonly OsdpTestBenchReader[];
  /** Contains the reader keys. */
  readonly folder: string;
  bus: OsdpBus;

  constructor(pty: Pty, options: readonly OsdpTestBenchReader[]) {
    this.pty = pty;
    this.#options = options;
    this.folder = mkdtempSync(join(tmpdir(), 'lintel-osdp-'));
    this.keys = new OsdpReaderKeyFileStore(this.folder, 'bench');
    const write = (bytes: Buffer): void => void pty.write(bytes).catch(() => undefined);
    this.readers = new Map(options.map(reader => [reader.address, new SimulatedPeripheral({ ...reader, write })]));
    pty.onBytes(bytes => {
      for (const reader of this.readers.values()) reader.receive(bytes);
    });
    this.bus = this.#start();
  }

  log: Log = (level, message, facts) => {
    this.logged.push(`${level} ${message} ${JSON.stringify(facts ?? {})}`);
  };

  #start(): OsdpBus {
    return new OsdpBus({
      line: new ReconnectingSerialLine({ path: this.pty.path, baud_rate: BAUD_RATE }),
      clock: this.clock,
      keys: this.keys,
      log: this.log,
      baud_rate: BAUD_RATE,
      peripherals: this.#options.map(({ address, security, crc = true }) => ({ address, security, crc })),
    });
  }

  /** Input lines of a reader, as a profile names them. */
  inputs(lines: Readonly<Record<string, OsdpInputLineConfig>>, address = 1): OsdpInputs {
    return new OsdpInputs(this.peripheral(address), lines);
  }

  /** Restarts the control panel, as after a restart of the controller. */
  async restartPanel(): Promise<void> {
    await this.bus.close();
    this.bus = this.#start();
  }

  reader(address = 1): SimulatedPeripheral {
    return this.readers.get(address)!;
  }

  peripheral(address = 1): OsdpPeripheral {
    return this.bus.peripheral(address);
  }

  async ready(address = 1): Promise<this> {
    const reader = this.reader(address);
    const before = reader.receivedCommands.length;
    // The last command of the initialization.
    await waitUntil(
      'the reader is online',
      () => reader.receivedCommands.slice(before).filter(({ code }) => code === 0x65).length > 0,
    );
    return this;
  }

  /** Waits until the panel has received all events of the reader. */
  async idle(address = 1): Promise<void> {
    const reader = this.reader(address);
    await waitUntil('the reader has sent all events', () => reader.isIdle);
    const before = reader.receivedCommands.length;
    await waitUntil('the panel has received them', () => reader.receivedCommands.length > before + 1);
  }

  async unplug(): Promise<void> {
    await this.pty.unplug();
    await waitUntil('the panel reports the reader as absent', () => this.peripheral().fault()?.kind === 'absent');
  }

  async plugIn(): Promise<void> {
    for (const reader of this.readers.values()) reader.restart();
    await this.pty.plugIn();
    await waitUntil('the panel reports no fault', () => this.peripheral().fault() === null);
  }

  async close(): Promise<void> {
    await this.bus.close();
    await this.pty.close();
    rmSync(this.folder, { recursive: true });
  }
}

export const openOsdpTestBench = async (...readers: readonly OsdpTestBenchReader[]): Promise<OsdpTestBench> =>
  new OsdpTestBench(await openPty(), readers);
