import { readdirSync } from 'node:fs';
import type { OpenedBus } from '../definition/context.ts';
import { hardwareBusSchema } from '../drivers.ts';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { SimulatedInputs } from '@lintel/simulator/virtual-hardware/simulated-inputs';
import { SimulatedOutputs } from '@lintel/simulator/virtual-hardware/simulated-outputs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BusOpener, openBus } from '../drivers.ts';
import { OsdpReaderKeyFileStore } from './reader-key-file-store.ts';
import { openTestBus } from '../testing/open-test-bus.ts';
import { ProfileControllers, shippedProfile } from '@lintel/test/support/hardware/profile-controller';
import { pairedKey } from './paired-bench.test-support.ts';
import { SimulatedPeripheral } from '@lintel/test/support/osdp-peripheral/simulated-peripheral';
import { openPty, type Pty, requiredPython } from '@lintel/test/support/processes/pty';
import { requireProgram } from '@lintel/test/support/require-program';
import { VirtualClock } from '@lintel/test/support/virtual-clock';

const ADDRESS = 5;
const GREEN = 2;
const OUTPUT = 0x68;
const TEXT = 0x6b;
const UNKNOWN_COMMAND = 3;
const CARD = '04a1b2c3';

let closing: (() => unknown)[] = [];
beforeEach(context => requireProgram(context, requiredPython));
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
});

const connectPeripheral = async (key: Buffer | null) => {
  const pty = await openPty();
  closing.push(() => pty.close());
  const write = (bytes: Buffer): void => void pty.write(bytes).catch(() => undefined);
  const peripheral = new SimulatedPeripheral({ address: ADDRESS, key, write });
  pty.onBytes(bytes => peripheral.receive(bytes));
  return { pty, peripheral };
};

const readerOf = (name: string, reader_number: number) => ({
  address: ADDRESS,
  reader_number,
  security: 'paired',
  outputs: {
    [`${name}_green`]: { led: 'green' },
    [`${name}_buzzer`]: { buzzer: true },
    [`${name}_text`]: { text: name },
    [`${name}_relay`]: { output: reader_number },
  },
});

const openReaders = async ({ path }: Pty): Promise<OpenedBus> => {
  const readers = { entry: readerOf('entry', 0), exit: readerOf('exit', 1) };
  const bus = hardwareBusSchema.parse({ driver: 'osdp', port: { path }, baud_rate: 115_200, readers });
  const prepare = (dataDir: string): void =>
    new OsdpReaderKeyFileStore(dataDir, 'bus').write(ADDRESS, { bytes: pairedKey, confirmed: true });
  const opened = await openTestBus(bus, { prepare });
  closing.push(() => opened.close());
  return opened;
};

const openPairedReaders = async () => {
  const { pty, peripheral } = await connectPeripheral(pairedKey);
  const opened = await openReaders(pty);
  const faultsOfOutputs: string[] = [];
  opened.outputs!.onFault((fault, part) => faultsOfOutputs.push(`${part}: ${fault?.message ?? 'ok'}`));
  // The texts are the last outputs that are switched off at startup.
  await expect.poll(() => peripheral.receivedCommands.filter(({ code }) => code === TEXT).length).toBe(2);
  return { pty, peripheral, ...opened, outputs: opened.outputs!, faultsOfOutputs };
};

/** Cards count once they were away since the reader came online. */
const tapUntil = async (peripheral: SimulatedPeripheral, reader: number, isDone: () => boolean): Promise<void> => {
  await expect
    .poll(
      () => {
        if (!isDone()) peripheral.tap(Buffer.from(CARD, 'hex'), 32, 0, reader);
        return isDone();
      },
      { interval: 1_000 },
    )
    .toBe(true);
};

describe('Two readers of one OSDP peripheral', () => {
  it('report keys and cards separately, over one secure channel', async () => {
    const { peripheral, keypads, readers } = await openPairedReaders();
    const received: string[] = [];
    for (const [name, keypad] of keypads!) keypad.onKey(key => received.push(`${name} ${key}`));
    for (const [name, reader] of readers!) reader.onCard(uid => received.push(`${name} ${uid}`));
    peripheral.press('1', 1);
    peripheral.press('2', 0);
    peripheral.press('3', 2);
    await tapUntil(peripheral, 1, () => received.includes(`exit ${CARD}`));
    await tapUntil(peripheral, 0, () => received.includes(`entry ${CARD}`));
    expect([...new Set(received)]).toEqual(['exit 1', 'entry 2', `exit ${CARD}`, `entry ${CARD}`]);
    expect([peripheral.challenges, peripheral.hasSession]).toEqual([1, true]);
  });

  it('have their own LED, buzzer and text', async () => {
    const { peripheral, outputs } = await openPairedReaders();
    const { parts } = peripheral;
    const shown = (reader: number) => [parts.color(reader, 0), parts.isBuzzing(reader), parts.text(reader).trim()];
    for (const output of ['exit_green', 'exit_buzzer', 'exit_text']) outputs.energize(output, null);
    await expect.poll(() => shown(1)).toEqual([GREEN, true, 'exit']);
    expect(shown(0)).toEqual([0, false, '']);
    for (const output of ['entry_green', 'entry_buzzer', 'entry_text']) outputs.energize(output, null);
    await expect.poll(() => shown(0)).toEqual([GREEN, true, 'entry']);
    for (const output of ['exit_green', 'exit_buzzer', 'exit_text']) outputs.release(output);
    await expect.poll(() => shown(1)).toEqual([0, false, '']);
    expect(shown(0)).toEqual([GREEN, true, 'entry']);
  });

  it('report a refused text or relay only at the reader that has it', async () => {
    const { peripheral, outputs, faultsOfOutputs } = await openPairedReaders();
    peripheral.refusals.set(TEXT, UNKNOWN_COMMAND).set(OUTPUT, UNKNOWN_COMMAND);
    outputs.energize('exit_text', null);
    outputs.energize('exit_relay', null);
    const text = `exit.text: Reader at address ${ADDRESS} does not show texts`;
    const relay = `exit: Reader at address ${ADDRESS} refuses to switch an output`;
    await expect.poll(() => faultsOfOutputs.toSorted()).toEqual([text, relay].toSorted());
    peripheral.refusals.clear();
    outputs.energize('entry_text', null);
    outputs.energize('entry_relay', null);
    await expect.poll(() => [peripheral.parts.text(0), peripheral.parts.outputs[0]]).toEqual(['entry', true]);
    expect(faultsOfOutputs).toHaveLength(2);
  });

  it('are both absent when their peripheral is', async () => {
    const { pty, keypads, readers, outputs } = await openPairedReaders();
    const absent = new Set<string>();
    for (const parts of [keypads!, readers!])
      for (const [name, part] of parts)
        part.onFault(fault => {
          if (fault?.kind === 'absent') absent.add(`${parts === keypads ? 'keypad' : 'reader'} ${name}`);
        });
    await pty.unplug();
    await expect.poll(() => absent.size).toBe(4);
    await expect.poll(() => [outputs.faultOf('entry_green'), outputs.faultOf('exit_green')]).not.toContain(null);
  });

  it('belong to two reader units of a controller, which pairs the peripheral once', async () => {
    const { pty, peripheral } = await connectPeripheral(null);
    const { parts } = peripheral;
    const profile = shippedProfile('rpi-osdp');
    const { front_reader, staff_reader } = (profile.buses['rs485'] as { readers: Record<string, object> }).readers;
    const rs485 = hardwareBusSchema.parse({
      driver: 'osdp',
      port: { path: pty.path },
      readers: {
        front_reader: { ...front_reader, address: ADDRESS },
        staff_reader: { ...staff_reader, address: ADDRESS, reader_number: 1 },
      },
    });
    const twoReaders: Profile = { ...profile, buses: { ...profile.buses, rs485 } };
    const relays = new SimulatedOutputs(new VirtualClock(), ['front_relay', 'staff_relay']);
    const open: BusOpener = async (bus, context) =>
      bus.driver === 'osdp'
        ? openBus(bus, context)
        : { outputs: relays, inputs: new SimulatedInputs(), close: async () => undefined };
    const controllers = new ProfileControllers();
    closing.push(() => controllers.close());
    const world = await controllers.start(twoReaders, open);
    await world.serve({ id: 'gad_front' });
    await tapUntil(peripheral, 1, () => relays.isOn('front_relay'));
    await expect.poll(() => parts.color(1, 0)).toBe(GREEN);
    // Pulses of the simulated LEDs do not end by themselves.
    expect([parts.color(0, 0), world.codes()]).toEqual([0, []]);
    const keyFiles = readdirSync(controllers.dataDir).filter(name => name.startsWith('osdp-'));
    expect(keyFiles).toEqual([`osdp-rs485-${ADDRESS}.key`]);
    const [installation, paired] = [1, 1];
    expect(peripheral.challenges).toBe(installation + paired);
  });
});
