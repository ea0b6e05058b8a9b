import { resolveWiegandFormat } from '../wiegand/formats.ts';
import { setTimeout } from 'node:timers/promises';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { GpioInputs } from './inputs.ts';
import { GpioOutputs } from './outputs.ts';
import { WiegandReader } from '../wiegand/reader.ts';
import { beforeEach, describe, expect } from 'vitest';
import { GpioSim, missingGpioSimSupport } from '@lintel/test/support/hardware/gpio-sim';
import { inputLinesContract } from '../testing/input-lines-contract.ts';
import { keypadContract } from '../testing/keypad-contract.ts';
import { outputLinesContract } from '../testing/output-lines-contract.ts';

const formats = ([26, 34, 37] as const).map(resolveWiegandFormat);

const label = `lintel-${process.pid}`;
const chip = [label];

const plugged = () => {
  const sim = new GpioSim(label);
  sim.plugIn();
  return {
    sim,
    unplug: async () => sim.unplug(),
    plugIn: async () => sim.plugIn(),
    closing: (part: { close(): void }) => async () => {
      part.close();
      sim.unplug();
    },
  };
};

const openOutputs = async () => {
  const { sim, closing, ...plug } = plugged();
  const outputs = new GpioOutputs({ chip, clock: new ProcessClock(), outputs: { strike: { line: 17 } } });
  return {
    outputs,
    isOn: async () => sim.isHigh(17),
    ...plug,
    close: closing(outputs),
  };
};

const openInputs = async () => {
  const { sim, closing, unplug, plugIn } = plugged();
  let isHigh = true;
  sim.drive(23, isHigh);
  const contact = { line: 23, active_low: true, debounce_ms: 5 };
  const inputs = new GpioInputs({ chip, clock: new ProcessClock(), inputs: { contact } });
  return {
    inputs,
    move: async (_: string, level: 'active' | 'inactive') => {
      isHigh = level === 'inactive';
      sim.drive(23, isHigh);
      await expect.poll(() => inputs.level('contact')).toBe(level);
    },
    unplug,
    plugIn: async () => {
      await plugIn();
      sim.drive(23, isHigh);
    },
    close: closing(inputs),
  };
};

const openWiegand = async () => {
  const { sim, closing, unplug, plugIn } = plugged();
  const rest = (): void => [5, 6].forEach(line => sim.drive(line, true));
  rest();
  const keypad = new WiegandReader({ chip, d0: 5, d1: 6, clock: new ProcessClock(), formats, keys: '4_bit' });
  let reported = 0;
  keypad.onKey(() => reported++);
  return {
    keypad,
    press: async (keys: string) => {
      let expected = reported + 1;
      for (const key of Array.from(keys)) {
        for (const bit of Array.from('0123456789*#'.indexOf(key).toString(2).padStart(4, '0'))) {
          const line = bit === '1' ? 6 : 5;
          sim.drive(line, false);
          sim.drive(line, true);
          // The pulse interval of a Wiegand reader.
          await setTimeout(1);
        }
        await expect.poll(() => reported).toBe(expected++);
      }
    },
    unplug,
    plugIn: async () => {
      await plugIn();
      rest();
    },
    close: closing(keypad),
  };
};

describe('gpio-sim', () => {
  beforeEach(context => {
    const missing = missingGpioSimSupport();
    if (missing !== null) context.skip(missing);
  });

  outputLinesContract('gpio-sim GPIO', openOutputs);
  inputLinesContract('gpio-sim GPIO', openInputs);
  keypadContract('gpio-sim Wiegand keypad', openWiegand);
});
