import { MatrixKeypad } from './keypad.ts';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import type { PartFault } from '../interfaces/part-fault.ts';
import { describe, expect, it } from 'vitest';
import { SimulatedGpioKernel } from '@lintel/test/support/hardware/simulated-gpio-kernel';
import { keypadContract } from '../testing/keypad-contract.ts';

const rows = [5, 6, 13, 19];
const columns = [12, 16, 20];
const printed = '123456789*0#';

const open = () => {
  const clock = new VirtualClock();
  const kernel = new SimulatedGpioKernel(clock);
  let held = '';
  // A key connects its column to its row: low while the row is driven low, pulled up otherwise.
  kernel.derivedLevel = offset => {
    const column = columns.indexOf(offset);
    if (column < 0) return undefined;
    return !rows.some((row, index) => held.includes(printed[index * 3 + column]!) && !kernel.isHigh(row));
  };
  const keypad = new MatrixKeypad({ chip: ['pinctrl-test'], rows, columns, clock, calls: kernel });
  const hold = (keys: string, milliseconds: number): void => {
    held = keys;
    clock.advance(milliseconds);
  };
  return {
    clock,
    kernel,
    keypad,
    hold,
    press: async (keys: string) => {
      for (const key of Array.from(keys)) {
        hold(key, 80);
        hold('', 80);
      }
    },
    unplug: async () => {
      kernel.unplug();
      clock.advance(2_000);
    },
    plugIn: async () => {
      kernel.plugIn();
      clock.advance(4_000);
    },
    close: async () => keypad.close(),
  };
};

keypadContract('Matrix keypad', async () => open());

describe('MatrixKeypad', () => {
  it('drives its rows low only and releases all lines', () => {
    const { clock, kernel, keypad } = open();
    clock.advance(100);
    const OUTPUT_OPEN_DRAIN_ACTIVE_LOW = '4a';
    const [request] = kernel.calls.filter(call => call.includes('c250b407'));
    expect(request!.split(' ')[2]!.slice(576, 578)).toBe(OUTPUT_OPEN_DRAIN_ACTIVE_LOW);
    keypad.close();
    expect([...rows, ...columns].some(line => kernel.isRequested(line))).toBe(false);
  });

  it('gives the columns time to settle after each row', () => {
    const clock = new VirtualClock();
    const waits: number[] = [];
    const wait = (microseconds: number): void => void waits.push(microseconds);
    const kernel = new SimulatedGpioKernel(clock);
    const options = { chip: ['pinctrl-test'] as const, rows, columns, clock, calls: kernel, wait };
    const keypad = new MatrixKeypad({ ...options, settle_us: 50 });
    clock.advance(10);
    expect(waits).toEqual([50, 50, 50, 50]);
    keypad.close();
  });

  it('reports a stuck key as a fault, keeps reporting the others, and recovers when it is released', () => {
    const { hold, keypad } = open();
    const keys: string[] = [];
    const faults: (PartFault | null)[] = [];
    keypad.onKey(key => keys.push(key));
    keypad.onFault(fault => faults.push(fault));
    hold('5', 31_000);
    expect(faults).toEqual([{ kind: 'broken', message: 'A key is stuck' }]);
    hold('57', 100);
    hold('', 100);
    expect(keys).toEqual(['5', '7']);
    expect(faults.at(-1)).toBeNull();
  });
});
