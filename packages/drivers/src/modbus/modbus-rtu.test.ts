import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { computeModbusSilenceMs, createModbusRtuBus } from './bus.ts';
import { ModbusInputs } from './inputs.ts';
import { ModbusOutputs } from './outputs.ts';
import { ReconnectingSerialLine } from '../serial-line/reconnecting-serial-line.ts';
import type { OutputLines } from '../interfaces/output-lines.ts';
import type { PartFault } from '../interfaces/part-fault.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { requireProgram } from '@lintel/test/support/require-program';
import { SimulatedModbusSlave, connectModbusSlaves } from '@lintel/test/support/hardware/simulated-modbus-slave';
import { openPty, requiredPython } from '@lintel/test/support/processes/pty';
import { inputLinesContract } from '../testing/input-lines-contract.ts';
import { outputLinesContract, timedOutputLinesContract } from '../testing/output-lines-contract.ts';

const waveshare = { base: 0x0200, unit_ms: 100 };

const openLine = async () => {
  const pty = await openPty();
  const slaves = { 1: new SimulatedModbusSlave(), 2: new SimulatedModbusSlave() };
  connectModbusSlaves(pty, slaves);
  const clock = new ProcessClock();
  const bus = createModbusRtuBus({
    line: new ReconnectingSerialLine({ path: pty.path, baud_rate: 9600 }),
    clock,
    baud_rate: 9600,
  });
  return {
    pty,
    slaves,
    clock,
    bus,
    unplug: () => pty.unplug(),
    plugIn: async () => {
      slaves[1].reset();
      await pty.plugIn();
    },
    closeLine: async () => {
      await bus.close();
      await pty.close();
    },
  };
};

const faultsOf = (part: { onFault: OutputLines['onFault'] }): (PartFault | null)[] => {
  const faults: (PartFault | null)[] = [];
  part.onFault(fault => faults.push(fault));
  return faults;
};

const openOutputs = async (pulse?: typeof waveshare) => {
  const world = await openLine();
  const { bus, clock, slaves } = world;
  const relays = new ModbusOutputs({ bus, clock, unit: 1, outputs: { strike: 0 }, ...(pulse && { pulse }) });
  // A request may be repeated when the machine is busy.
  await expect.poll(() => slaves[1].executed.length).toBeGreaterThanOrEqual(1);
  let commands = slaves[1].executed.length;
  // Counts the commands, so that the time of the board advances only after they have arrived.
  const outputs: OutputLines = {
    energize: (output, pulse_ms) => {
      relays.energize(output, pulse_ms);
      commands++;
    },
    release: output => {
      relays.release(output);
      commands++;
    },
    faultOf: output => relays.faultOf(output),
    onFault: listener => relays.onFault(listener),
  };
  return {
    ...world,
    relays,
    outputs,
    isOn: async () => slaves[1].isOn(0),
    advance: async (milliseconds: number) => {
      await expect.poll(() => slaves[1].executed.length).toBeGreaterThanOrEqual(commands);
      slaves[1].advance(milliseconds);
    },
    close: async () => {
      await relays.close();
      await world.closeLine();
    },
  };
};

const openInputs = async () => {
  const world = await openLine();
  const { bus, clock, slaves } = world;
  const contact = { source: { kind: 'bit', input: 3 }, active_low: true } as const;
  slaves[1].inputs.add(3);
  const inputs = new ModbusInputs({ bus, clock, unit: 1, inputs: { contact }, poll_ms: 20 });
  await expect.poll(() => inputs.level('contact')).toBe('inactive');
  return {
    inputs,
    move: async (_: string, level: 'active' | 'inactive') => {
      if (level === 'active') slaves[1].inputs.delete(3);
      else slaves[1].inputs.add(3);
      await expect.poll(() => inputs.level('contact')).toBe(level);
    },
    unplug: world.unplug,
    plugIn: world.plugIn,
    close: async () => {
      inputs.close();
      await world.closeLine();
    },
  };
};

beforeEach(context => requireProgram(context, requiredPython));

timedOutputLinesContract('Modbus outputs with pulses', () => openOutputs(waveshare));
outputLinesContract('Modbus outputs', () => openOutputs());
inputLinesContract('Modbus inputs', openInputs);

it('keeps a silence of 3.5 characters between requests, at every baud rate', () => {
  expect([1_200, 9_600, 115_200].map(computeModbusSilenceMs)).toEqual([33, 5, 5]);
});

describe('ModbusOutputs', () => {
  it('lets the board end a pulse, rounded up to the unit of the board', async () => {
    const bench = await openOutputs(waveshare);
    bench.outputs.energize('strike', 650);
    await expect.poll(() => bench.slaves[1].executed.at(-1)).toBe('0105020000078db0');
    await bench.close();
  });

  it('reports a silent board as absent while the other boards on the line keep working', {
    tags: ['slow'],
  }, async () => {
    const bench = await openOutputs();
    const other = new ModbusOutputs({ bus: bench.bus, clock: bench.clock, unit: 2, outputs: { gate: 7 } });
    const [faults, otherFaults] = [faultsOf(bench.relays), faultsOf(other)];
    bench.slaves[1].isSilent = true;
    await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
    expect(faults.at(-1)?.message).toBe('Modbus board 1 does not respond');
    other.energize('gate', null);
    await expect.poll(() => bench.slaves[2].isOn(7)).toBe(true);
    bench.slaves[1].isSilent = false;
    await expect.poll(() => faults.at(-1)).toBeNull();
    expect(otherFaults).toEqual([]);
    await other.close();
    expect(bench.slaves[2].isOn(7)).toBe(false);
    await bench.close();
  });

  it('reports a Modbus exception as a fault', async () => {
    const bench = await openOutputs();
    const faults = faultsOf(bench.relays);
    bench.slaves[1].exception = 4;
    await expect.poll(() => faults.at(-1)?.kind).toBe('broken');
    expect(faults.at(-1)?.message).toMatch(/^Modbus board 1: Modbus exception 4/);
    bench.slaves[1].exception = null;
    await expect.poll(() => faults.at(-1)).toBeNull();
    await bench.close();
  });

  it('switches the relay on until its release when the board has no pulses, and reports the wrong profile setting', async () => {
    const bench = await openOutputs(waveshare);
    const faults: string[] = [];
    bench.relays.onFault((fault, part) => faults.push(`${part}: ${fault?.message}`));
    bench.slaves[1].supportsPulses = false;
    bench.relays.energize('strike', 650);
    await expect.poll(() => bench.slaves[1].isOn(0)).toBe(true);
    await expect.poll(() => faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^pulse: Modbus board 1: Modbus exception 2.*remove "pulse" from the profile$/);
    expect(bench.relays.faultOf('strike')).toBeNull();
    bench.relays.release('strike');
    await expect.poll(() => bench.slaves[1].isOn(0)).toBe(false);
    bench.slaves[1].executed.length = 0;
    bench.relays.energize('strike', 650);
    await expect.poll(() => bench.slaves[1].executed).toContain('01050000ff008c3a');
    expect(new Set(bench.slaves[1].executed)).toEqual(new Set(['01050000ff008c3a']));
    expect(faults).toHaveLength(1);
    await bench.close();
  });

  it('opens with on and off when the board does not confirm a pulse, and keeps reporting it', async () => {
    const bench = await openOutputs(waveshare);
    const faults: string[] = [];
    bench.relays.onFault((fault, part) => faults.push(`${part}: ${fault?.message}`));
    bench.slaves[1].confirmsPulses = false;
    bench.relays.energize('strike', 650);
    await expect.poll(() => bench.slaves[1].isOn(0)).toBe(true);
    await expect.poll(() => faults).toHaveLength(1);
    expect(faults[0]).toBe(
      'pulse: Modbus board 1 does not respond. The board does not confirm timed pulses: remove "pulse" from the profile',
    );
    bench.relays.release('strike');
    await expect.poll(() => bench.slaves[1].isOn(0)).toBe(false);
    const { reads } = bench.slaves[1];
    await expect.poll(() => bench.slaves[1].reads).toBeGreaterThan(reads + 1);
    expect([faults.length, bench.relays.faultOf('strike')]).toEqual([1, null]);
    await bench.close();
  });

  it('reports an output as faulty while the board answers reads but confirms no write', {
    tags: ['slow'],
  }, async () => {
    const bench = await openOutputs();
    bench.slaves[1].confirmsWrites = false;
    bench.relays.energize('strike', 650);
    await expect.poll(() => bench.relays.faultOf('strike')).toBe('Modbus board 1 does not respond');
    const { reads } = bench.slaves[1];
    await expect.poll(() => bench.slaves[1].reads).toBeGreaterThan(reads + 2);
    expect(bench.relays.faultOf('strike')).toBe('Modbus board 1 does not respond');
    bench.slaves[1].confirmsWrites = true;
    await expect.poll(() => bench.relays.faultOf('strike')).toBeNull();
    await bench.close();
  });

  it('reports an unplugged adapter, not a board that does not respond', async () => {
    const bench = await openOutputs();
    const faults = faultsOf(bench.relays);
    await bench.unplug();
    await expect.poll(() => faults.at(-1)?.message).toBe(`${bench.pty.path} was disconnected`);
    expect(() => bench.relays.energize('strike', null)).toThrow('was disconnected');
    await expect(bench.bus.request(1, 'poll', board => board.readCoils(0, 1))).rejects.toThrow('was disconnected');
    await bench.closeLine();
  });

  it('does not use outputs after a failure of the same board until it has answered', async () => {
    const bench = await openOutputs();
    const faults = faultsOf(bench.relays);
    bench.relays.distrust('Modbus board 1 does not respond');
    expect(() => bench.relays.energize('strike', null)).toThrow('does not respond');
    await expect.poll(() => faults.at(-1)).toBeNull();
    await bench.close();
  });

  it('reports a fault per output that cannot be written until a write succeeds', { tags: ['slow'] }, async () => {
    const bench = await openOutputs(waveshare);
    const relays = new ModbusOutputs({
      bus: bench.bus,
      clock: bench.clock,
      unit: 2,
      outputs: { gate: 1, light: 2 },
      pulse: waveshare,
    });
    const faults = faultsOf(relays);
    const slave = bench.slaves[2];
    await expect.poll(() => slave.executed.length).toBeGreaterThanOrEqual(2);
    slave.stuck.add(1);
    relays.energize('gate', 300);
    await expect.poll(() => relays.faultOf('gate')).toMatch(/^Modbus board 2: Modbus exception 4/);
    expect(faults.at(-1)).toMatchObject({
      kind: 'broken',
      message: expect.stringMatching(/at output gate$/) as string,
    });
    const reads = slave.reads;
    await expect.poll(() => slave.reads).toBeGreaterThan(reads + 1);
    expect([faults.length, relays.faultOf('light')]).toEqual([1, null]);
    relays.energize('light', null);
    await expect.poll(() => slave.isOn(2)).toBe(true);
    slave.stuck.clear();
    await expect.poll(() => faults).toEqual([expect.anything(), null]);
    expect([relays.faultOf('gate'), slave.isOn(1)]).toEqual([null, false]);
    await relays.close();
    await bench.close();
  });

  it('ignores noise and repeats a request after a wrong CRC', async () => {
    const bench = await openOutputs();
    const faults = faultsOf(bench.relays);
    bench.slaves[1].noise = Buffer.from('00ff01010501', 'hex');
    bench.slaves[1].wrongChecksums = 1;
    bench.outputs.energize('strike', null);
    await expect.poll(() => bench.slaves[1].isOn(0)).toBe(true);
    bench.outputs.release('strike');
    await expect.poll(() => bench.slaves[1].isOn(0)).toBe(false);
    expect(faults).toEqual([]);
    await bench.close();
  });

  it('distinguishes damaged answers from no answer', { tags: ['slow'] }, async () => {
    const bench = await openOutputs();
    const faults = faultsOf(bench.relays);
    bench.slaves[1].wrongChecksums = Number.POSITIVE_INFINITY;
    await expect.poll(() => faults.at(-1)?.kind).toBe('broken');
    expect(faults.at(-1)?.message).toMatch(/^Responses of Modbus board 1 arrive damaged: check termination/);
    bench.slaves[1].wrongChecksums = 0;
    bench.slaves[1].isSilent = true;
    await expect.poll(() => faults.at(-1)?.message).toBe('Modbus board 1 does not respond');
    bench.slaves[1].isSilent = false;
    await expect.poll(() => faults.at(-1)).toBeNull();
    await bench.close();
  });

  it('sets the relays again after a short power loss of the board', { tags: ['slow'] }, async () => {
    const bench = await openOutputs();
    bench.outputs.energize('strike', null);
    await expect.poll(() => bench.slaves[1].isOn(0)).toBe(true);
    bench.slaves[1].reset();
    await expect.poll(() => bench.slaves[1].isOn(0)).toBe(true);
    await bench.close();
  });

  it('does not switch on a relay that was released while the board was absent', async () => {
    const bench = await openOutputs();
    const faults = faultsOf(bench.relays);
    bench.outputs.energize('strike', null);
    await expect.poll(() => bench.slaves[1].isOn(0)).toBe(true);
    bench.slaves[1].isSilent = true;
    await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
    expect(() => bench.outputs.release('strike')).toThrow('does not respond');
    bench.slaves[1].isSilent = false;
    await expect.poll(() => faults.at(-1)).toBeNull();
    await expect.poll(() => bench.slaves[1].isOn(0)).toBe(false);
    await bench.close();
  });
});
