import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { openGpio } from './gpio/index.ts';
import { openMatrixKeypad } from './matrix-keypad/index.ts';
import { openWiegand } from './wiegand/index.ts';
import type { OpenedBus } from './definition/context.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { type BusWithDriver, type HardwareBus, hardwareBusSchema, openBus } from './drivers.ts';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedPeripheral } from '@lintel/test/support/osdp-peripheral/simulated-peripheral';
import { requireProgram } from '@lintel/test/support/require-program';
import { SimulatedGpioKernel } from '@lintel/test/support/hardware/simulated-gpio-kernel';
import { SimulatedModbusSlave, connectModbusSlaves } from '@lintel/test/support/hardware/simulated-modbus-slave';
import { SimulatedPn532 } from '@lintel/test/support/hardware/simulated-pn532';
import { openPty, type Pty, requiredPython } from '@lintel/test/support/processes/pty';

let dataDir: string;
let closing: (() => unknown)[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'lintel-drivers-'));
  closing = [];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  rmSync(dataDir, { recursive: true });
});

const profileOf = (product: string) => loadProfiles().find(({ product_id }) => product_id === product)!;

const busOf = <D extends HardwareBus['driver']>(product: string, driver: D): BusWithDriver<D> =>
  Object.values(profileOf(product).buses).find((one): one is BusWithDriver<D> => one.driver === driver)!;

const contextOf = (name: string, clock: MonotonicClock = new ProcessClock()) => ({
  name,
  clock,
  dataDir,
  log: () => undefined,
});

const onPty = async (bus: HardwareBus, pty: Pty, name = 'bus'): Promise<OpenedBus> => {
  const opened = await openBus({ ...bus, port: { path: pty.path } } as HardwareBus, contextOf(name));
  closing.push(() => opened.close());
  return opened;
};

const line = async (): Promise<Pty> => {
  const pty = await openPty();
  closing.push(() => pty.close());
  return pty;
};

const recordInputs = ({ keypads, readers }: OpenedBus): string[] => {
  const received: string[] = [];
  for (const [name, keypad] of keypads ?? []) keypad.onKey(key => received.push(`${name} ${key}`));
  for (const [name, reader] of readers ?? []) reader.onCard(uid => received.push(`${name} ${uid}`));
  return received;
};

describe('Profile with GPIO parts', () => {
  const kernelOf = () => {
    const clock = new VirtualClock();
    return { clock, kernel: new SimulatedGpioKernel(clock, 'pinctrl-bcm2711') };
  };

  it('switches relays and reads contacts with their configured level', async () => {
    const { clock, kernel } = kernelOf();
    const { outputs, inputs } = await openGpio(busOf('rpi-gpio-acr122u', 'gpio'), contextOf('gpio', clock), {
      calls: kernel,
    });
    expect(kernel.isHigh(17)).toBe(false);
    outputs!.energize('door_relay', null);
    expect(kernel.isHigh(17)).toBe(true);
    kernel.drive(5, false);
    clock.advance(1_000);
    // The switch of the housing is closed to ground, and the contact of the door too.
    kernel.drive(13, false);
    clock.advance(1_000);
    expect(['door_contact', 'exit_button', 'housing'].map(name => inputs!.level(name))).toEqual([
      'active',
      'inactive',
      'inactive',
    ]);
    kernel.drive(13, true);
    clock.advance(1_000);
    expect(inputs!.level('housing')).toBe('active');
  });

  it('inverts an active-low line', async () => {
    const { clock, kernel } = kernelOf();
    const bus = hardwareBusSchema.parse({
      driver: 'gpio',
      chip: ['pinctrl-bcm2711'],
      outputs: { relay: { line: 5, active: 'low' } },
    }) as BusWithDriver<'gpio'>;
    const { outputs } = await openGpio(bus, contextOf('gpio', clock), { calls: kernel });
    expect(kernel.isHigh(5)).toBe(true);
    outputs!.energize('relay', null);
    expect(kernel.isHigh(5)).toBe(false);
  });

  it('reports matrix keys as labeled', async () => {
    const { clock, kernel } = kernelOf();
    const bus = busOf('rpi-pn532-matrix', 'matrix-keypad');
    let held = '';
    kernel.derivedLevel = offset => {
      const column = bus.columns.indexOf(offset);
      if (column < 0) return undefined;
      return !bus.rows.some((row, index) => held === bus.keys[index]![column] && !kernel.isHigh(row));
    };
    const received = recordInputs(await openMatrixKeypad(bus, contextOf('keypad', clock), { calls: kernel }));
    for (const key of ['5', '', '#', '', '0', '']) {
      held = key;
      clock.advance(80);
    }
    expect(received).toEqual(['keypad 5', 'keypad #', 'keypad 0']);
  });

  const openWiegandOf = async (settings: object) => {
    const { clock, kernel } = kernelOf();
    const bus = hardwareBusSchema.parse({ driver: 'wiegand', chip: ['pinctrl-bcm2711'], d0: 5, d1: 6, ...settings });
    const received = recordInputs(
      await openWiegand(bus as BusWithDriver<'wiegand'>, contextOf('gate', clock), { calls: kernel }),
    );
    clock.advance(500);
    const send = (frame: string): void => {
      for (const bit of frame.replaceAll(' ', '')) {
        kernel.drive(bit === '1' ? 6 : 5, false);
        clock.advance(0.05);
        kernel.drive(bit === '1' ? 6 : 5, true);
        clock.advance(2);
      }
      clock.advance(50);
    };
    return { received, send };
  };
  const CARD = '1 01111011 10110010 01101110 1';

  it('reports cards and keys of one Wiegand reader', async () => {
    const { received, send } = await openWiegandOf({ keys: '4_bit' });
    send('0111');
    send(CARD);
    expect(received).toEqual(['gate 7', 'gate 007bb26e']);
  });

  it('reports PINs of a Wiegand keypad that sends them like cards', async () => {
    const { received, send } = await openWiegandOf({ keys: '26_bit_pin', pin: { facility: 200 } });
    send('1 11001000 00000000 00101010 0');
    send(CARD);
    expect(received).toEqual(['gate 0', 'gate 0', 'gate 4', 'gate 2', 'gate #', 'gate 007bb26e']);
  });
});

describe('Profile with serial parts', () => {
  beforeEach(context => requireProgram(context, requiredPython));

  it('lets the Modbus board time a pulse and reads its inputs', async () => {
    const pty = await line();
    const slave = new SimulatedModbusSlave();
    connectModbusSlaves(pty, { 1: slave });
    const { outputs, inputs } = await onPty(busOf('rpi-modbus-8', 'modbus'), pty);
    await expect.poll(() => inputs!.level('housing')).toBe('active');
    outputs!.energize('relay_3', 700);
    await expect.poll(() => slave.isOn(2)).toBe(true);
    expect(slave.executed.at(-1)).toMatch(/^010502020007/);
    slave.inputs.add(7);
    await expect.poll(() => inputs!.level('housing')).toBe('inactive');
  });

  it('pairs its OSDP readers and keeps their keys, LEDs and inputs separate', async () => {
    const pty = await line();
    const write = (bytes: Buffer): void => void pty.write(bytes).catch(() => undefined);
    const [front, staff] = [0, 1].map(address => new SimulatedPeripheral({ address, write })) as [
      SimulatedPeripheral,
      SimulatedPeripheral,
    ];
    pty.onBytes(bytes => {
      for (const reader of [front, staff]) reader.receive(bytes);
    });
    const opened = await onPty(busOf('rpi-osdp', 'osdp'), pty, 'rs485');
    const received = recordInputs(opened);
    await expect.poll(() => opened.inputs!.level('front_tamper')).toBe('inactive');
    await expect.poll(() => readdirSync(dataDir).sort()).toEqual(['osdp-rs485-0.key', 'osdp-rs485-1.key']);
    expect(readFileSync(join(dataDir, 'osdp-rs485-0.key'))).not.toEqual(
      readFileSync(join(dataDir, 'osdp-rs485-1.key')),
    );
    staff.press('7');
    await expect
      .poll(
        () => {
          // Counts once it was away since the reader came online.
          front.tap(Buffer.from('04a1b2c3', 'hex'));
          return [...new Set(received)].sort();
        },
        { interval: 1_000 },
      )
      .toEqual(['front_reader 04a1b2c3', 'staff_reader 7']);
    await expect
      .poll(() => {
        try {
          opened.outputs!.energize('staff_green', null);
        } catch {
          // Not online yet.
        }
        return [front, staff].map(({ parts }) => parts.color(0, 0));
      })
      .toEqual([0, 2]);
    front.setTamper(true);
    await expect.poll(() => opened.inputs!.level('front_tamper')).toBe('active');
  });

  it('reads cards with a PN532', async () => {
    const pty = await line();
    const module = new SimulatedPn532(pty);
    const received = recordInputs(await onPty(busOf('rpi-pn532-matrix', 'pn532'), pty, 'uart'));
    // A card that is there at the first poll does not count.
    await expect.poll(() => module.pollsWithoutTarget).toBeGreaterThan(0);
    module.target = { uid: '04a1b2c3d4e5f6' };
    await expect.poll(() => received).toEqual(['uart 04a1b2c3d4e5f6']);
  });

  it('reads QR codes of magic links', async () => {
    const pty = await line();
    const bus = hardwareBusSchema.parse({ driver: 'qr-serial', port: { path: pty.path } });
    const opened = await onPty(bus, pty, 'codes');
    const tokens: string[] = [];
    opened.readers?.get('codes')?.onMagicLink?.(token => tokens.push(token));
    const token = 'q7Ns2xRkT0aYpZ-_4mWcVbL9eHfJdGuQ1oIySxK3nE8';
    await expect
      .poll(
        async () => {
          await pty.write(Buffer.from(`https://doors.example.com/g/${token}\r`, 'latin1'));
          return tokens[0];
        },
        { interval: 1_100 },
      )
      .toBe(token);
  });

  it('reads 125 kHz tags', async () => {
    const pty = await line();
    const bus = hardwareBusSchema.parse({ driver: 'rdm6300', port: { path: pty.path }, uid: 'printed_number' });
    const received = recordInputs(await onPty(bus, pty, 'tags'));
    await expect
      .poll(
        async () => {
          await pty.write(Buffer.from('\x0262E3086CED08\x03', 'latin1'));
          return received[0];
        },
        { interval: 600 },
      )
      .toBe('tags e3086ced');
  });
});
