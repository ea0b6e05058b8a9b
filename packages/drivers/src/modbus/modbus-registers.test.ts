import { hardwareBusSchema } from '../drivers.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireProgram } from '@lintel/test/support/require-program';
import { openTestBus } from '../testing/open-test-bus.ts';
import { requirePymodbus, startPymodbusServer } from '@lintel/test/support/hardware/pymodbus-server';
import { connectModbusSlaves, SimulatedModbusSlave } from '@lintel/test/support/hardware/simulated-modbus-slave';
import { openPty, requiredPython } from '@lintel/test/support/processes/pty';

let closing: (() => Promise<unknown>)[] = [];
beforeEach(() => void (closing = []));
afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

const boards = {
  register_values: { on: 0x100, off: 0x200, reads_on: 1, pulse: { base: 0x600, unit_ms: 1_000 } },
  outputs: { strike: { unit: 1, register: 1 }, light: { unit: 1, register: 2 } },
  inputs: {
    contact: { unit: 1, register: 3, bit: 4, table: 'input' },
    button: { unit: 1, register: 5 },
    housing: { unit: 1, input: 6, active: 'off' },
  },
};

const openOnPty = async (slave: SimulatedModbusSlave) => {
  const pty = await openPty();
  closing.push(() => pty.close());
  connectModbusSlaves(pty, { 1: slave });
  const opened = await openTestBus(hardwareBusSchema.parse({ driver: 'modbus', port: { path: pty.path }, ...boards }));
  closing.push(() => opened.close());
  return opened;
};

describe('Modbus relays in registers', () => {
  beforeEach(context => requireProgram(context, requiredPython));

  it('are switched by function 06 with the values of the profile', async () => {
    const slave = new SimulatedModbusSlave();
    const { outputs } = await openOnPty(slave);
    // Switched off at startup.
    await expect
      .poll(() => slave.executed.slice(0, 2).map(hex => hex.slice(0, 12)))
      .toEqual(['010600010200', '010600020200']);
    outputs!.energize('light', null);
    await expect.poll(() => slave.holding.get(2)).toBe(1);
    expect(slave.executed.at(-1)).toMatch(/^010600020100/);
    outputs!.release('light');
    await expect.poll(() => slave.holding.get(2)).toBe(0);
  });

  it('are pulsed by the board, rounded up to its unit', async () => {
    const slave = new SimulatedModbusSlave();
    const { outputs } = await openOnPty(slave);
    outputs!.energize('strike', 4_500);
    await expect.poll(() => slave.executed.map(hex => hex.slice(0, 12))).toContain('010600010605');
  });

  it('have a fault while the board rejects the write', async () => {
    const slave = new SimulatedModbusSlave();
    slave.exception = 4;
    const { outputs } = await openOnPty(slave);
    await expect.poll(() => outputs!.faultOf('strike')).toMatch(/exception 4/);
    slave.exception = null;
    await expect.poll(() => outputs!.faultOf('strike')).toBeNull();
  });
});

describe('Modbus inputs in registers', () => {
  beforeEach(context => requireProgram(context, requiredPython));

  it('are read by functions 02, 03 and 04, as a bit or as a whole register', async () => {
    const slave = new SimulatedModbusSlave();
    const { inputs } = await openOnPty(slave);
    const levels = () => ['contact', 'button', 'housing'].map(name => inputs!.level(name));
    await expect.poll(levels).toEqual(['inactive', 'inactive', 'active']);
    slave.inputRegisters.set(3, 0b1_0000);
    slave.holding.set(5, 0x8000);
    slave.inputs.add(6);
    await expect.poll(levels).toEqual(['active', 'active', 'inactive']);
    slave.inputRegisters.set(3, 0b0_1111);
    await expect.poll(levels).toEqual(['inactive', 'active', 'inactive']);
  });
});

describe.each(['tcp', 'rtu'] as const)('Modbus %s with pymodbus', kind => {
  beforeEach(requirePymodbus);

  it('switches coils and registers, and reads inputs of every kind', async () => {
    const server = await startPymodbusServer(kind);
    closing.push(() => server.stop());
    const connection =
      kind === 'tcp'
        ? { driver: 'modbus-tcp', host: '127.0.0.1', tcp_port: server.address, allow_network_relay: true }
        : { driver: 'modbus', port: { path: server.address } };
    const open = async (lines: object) => {
      const opened = await openTestBus(hardwareBusSchema.parse({ ...connection, ...lines }));
      closing.push(() => opened.close());
      return opened;
    };
    const inputs = {
      contact: { unit: 1, input: 9 },
      button: { unit: 1, register: 20, bit: 2, table: 'input' },
    };
    const opened = await open({ outputs: { strike: { unit: 1, coil: 7 } }, inputs });
    const levels = () => ['contact', 'button'].map(name => opened.inputs!.level(name));
    await expect.poll(levels).toEqual(['inactive', 'inactive']);
    server.set({ function: 2, address: 9, value: 1 });
    server.set({ function: 4, address: 20, value: 4 });
    await expect.poll(levels).toEqual(['active', 'active']);
    opened.outputs!.energize('strike', null);
    await expect.poll(() => server.writes.at(-1)).toEqual({ function: 5, address: 7, value: 1 });
    await expect.poll(() => opened.outputs!.faultOf('strike')).toBeNull();
    await opened.close();
    expect(server.writes.at(-1)).toEqual({ function: 5, address: 7, value: 0 });
    const relays = await open({ outputs: { strike: { unit: 1, register: 7 } }, register_values: { on: 3 } });
    relays.outputs!.energize('strike', null);
    await expect.poll(() => server.writes.at(-1)).toEqual({ function: 6, address: 7, value: 3 });
  });

  it('reports a coil that the board does not have', async () => {
    const server = await startPymodbusServer(kind);
    closing.push(() => server.stop());
    const connection =
      kind === 'tcp'
        ? { driver: 'modbus-tcp', host: '127.0.0.1', tcp_port: server.address, allow_network_relay: true }
        : { driver: 'modbus', port: { path: server.address } };
    const opened = await openTestBus(
      hardwareBusSchema.parse({ ...connection, outputs: { strike: { unit: 1, coil: 200 } } }),
    );
    closing.push(() => opened.close());
    await expect.poll(() => opened.outputs!.faultOf('strike')).toMatch(/Modbus exception 2/);
  });
});
