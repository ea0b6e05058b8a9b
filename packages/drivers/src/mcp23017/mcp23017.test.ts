import { type BusWithDriver, hardwareBusSchema } from '../drivers.ts';
import type { I2cRegisterBus } from '@lintel/service/linux/i2c';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { describe, expect, it } from 'vitest';
import { openMcp23017 } from './index.ts';
import { requirePythonPackage, runPythonDriver } from '@lintel/test/support/hardware/python-counterpart';
import { SimulatedMcp23017 } from '@lintel/test/support/hardware/simulated-mcp23017';
import { inputLinesContract } from '../testing/input-lines-contract.ts';
import { outputLinesContract } from '../testing/output-lines-contract.ts';

const context = {
  name: 'hat',
  clock: new ProcessClock(),
  dataDir: '/nonexistent',
  log: () => undefined,
};

const openOn = (i2c: I2cRegisterBus, changes: object = {}) => {
  const bus = hardwareBusSchema.parse({
    driver: 'mcp23017',
    outputs: { strike: { line: 3, active: 'low' }, light: { line: 9 } },
    inputs: { contact: { line: 8, debounce_ms: 0 } },
    ...changes,
  });
  return openMcp23017(bus as BusWithDriver<'mcp23017'>, context, i2c);
};

const open = async () => {
  const chip = new SimulatedMcp23017();
  const { outputs, inputs, close } = await openOn(chip);
  await expect.poll(() => [chip.isHigh(3), inputs!.level('contact')]).toEqual([true, 'inactive']);
  return {
    chip,
    outputs: outputs!,
    inputs: inputs!,
    isOn: async () => !chip.isHigh(3),
    move: async (_: string, level: 'active' | 'inactive') => {
      if (level === 'active') chip.grounded.add(8);
      else chip.grounded.delete(8);
      await expect.poll(() => inputs!.level('contact')).toBe(level);
    },
    unplug: async () => void (chip.isConnected = false),
    plugIn: async () => {
      chip.reset();
      chip.isConnected = true;
    },
    close,
  };
};

outputLinesContract('MCP23017 outputs', open);
inputLinesContract('MCP23017 inputs', open);

describe('MCP23017', () => {
  it('gets its pull-ups and the off levels before its lines become outputs', async () => {
    const { chip, close } = await open();
    // Pull-up of line 8, latch with line 3 high, directions with lines 3 and 9 as outputs.
    expect(chip.writes.slice(0, 3)).toEqual(['0c0001', '140800', '00f7fd']);
    await close();
  });

  it('switches held outputs on again after a short power loss, and no other', async () => {
    const { chip, outputs, close } = await open();
    outputs.energize('light', null);
    await expect.poll(() => chip.isHigh(9)).toBe(true);
    chip.reset();
    await expect.poll(() => chip.isHigh(9)).toBe(true);
    expect(chip.isHigh(3)).toBe(true);
    await close();
  });

  it('reports an output whose pin does not follow', async () => {
    const { chip, outputs, close } = await open();
    chip.grounded.add(9);
    outputs.energize('light', null);
    await expect.poll(() => outputs.faultOf('light')).toBe('Line 9 is still off');
    expect(outputs.faultOf('strike')).toBeNull();
    chip.grounded.delete(9);
    await expect.poll(() => outputs.faultOf('light')).toBeNull();
    await close();
  });
});

describe('Simulated MCP23017', () => {
  it('responds like a recorded chip', () => {
    // i2c/microchip_mcp23017/mcp23017_counter_init_ab_write_read of the sigrok-dumps: all lines are outputs, then a host writes
    // the latches (0x14) and reads the levels (0x12), each as two bytes, A first.
    const recorded = ['00ff', '01fe', '02fd', '03fc', '04fb', '05fa', '06f9'];
    const chip = new SimulatedMcp23017();
    chip.writeWord(0x20, 0x00, 0x0000);
    for (const bytes of recorded) {
      chip.writeWord(0x20, 0x14, Buffer.from(bytes, 'hex').readUInt16LE());
      const levels = Buffer.alloc(2);
      levels.writeUInt16LE(chip.readWord(0x20, 0x12));
      expect(levels.toString('hex')).toBe(bytes);
    }
  });

  it.for([true, false])('is switched and read by the driver of Adafruit: contact %s', async (isHigh, context) => {
    requirePythonPackage(context, {
      name: 'adafruit-circuitpython-mcp230xx',
      modules: ['adafruit_mcp230xx', 'adafruit_bus_device'],
      install: 'pip install adafruit-circuitpython-mcp230xx',
    });
    const chip = new SimulatedMcp23017();
    if (!isHigh) chip.grounded.add(3);
    const transfers = {
      send: (bytes: Buffer) => chip.send(0x20, bytes),
      receive: (length: number) => chip.receive(0x20, length),
    };
    expect(await runPythonDriver(transfers, 'adafruit-mcp23017.py')).toEqual({
      output: [false, true],
      contact: isHigh,
    });
    expect(chip.isHigh(9)).toBe(true);
    // Like the driver of this project, it writes the levels instead of the latches.
    expect(chip.writes.at(-1)).toMatch(/^12..02$/);
  });
});
