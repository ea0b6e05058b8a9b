import { GpioInputs } from './inputs.ts';
import { GpioOutputs } from './outputs.ts';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import type { PartFault } from '../interfaces/part-fault.ts';
import { describe, expect, it } from 'vitest';
import { SimulatedGpioKernel } from '@lintel/test/support/hardware/simulated-gpio-kernel';
import { inputLinesContract } from '../testing/input-lines-contract.ts';
import { outputLinesContract } from '../testing/output-lines-contract.ts';

const chip = ['pinctrl-other', 'pinctrl-test'];

const kernelAndClock = () => {
  const clock = new VirtualClock();
  const kernel = new SimulatedGpioKernel(clock);
  const plug = {
    unplug: async () => {
      kernel.unplug();
      clock.advance(2_000);
    },
    plugIn: async () => {
      kernel.plugIn();
      clock.advance(4_000);
    },
  };
  return { clock, kernel, plug };
};

const openOutputs = (active_low: boolean) => {
  const { clock, kernel, plug } = kernelAndClock();
  const outputs = new GpioOutputs({ chip, clock, calls: kernel, outputs: { strike: { line: 17, active_low } } });
  return {
    clock,
    kernel,
    outputs,
    isOn: async () => kernel.isRequested(17) && kernel.isHigh(17) !== active_low,
    ...plug,
    close: async () => outputs.close(),
  };
};

outputLinesContract('GPIO outputs', async () => openOutputs(false));
outputLinesContract('Active-low GPIO outputs', async () => openOutputs(true));

const openInputs = (debounceError: string | null) => {
  const { clock, kernel, plug } = kernelAndClock();
  kernel.debounceError = debounceError;
  const contact = { line: 23, active_low: true, pull: 'up', debounce_ms: 20 } as const;
  const inputs = new GpioInputs({ chip, clock, calls: kernel, inputs: { contact } });
  return {
    clock,
    kernel,
    inputs,
    move: async (_: string, level: 'active' | 'inactive') => {
      kernel.drive(23, level === 'inactive');
      clock.advance(30);
    },
    ...plug,
    close: async () => inputs.close(),
  };
};

inputLinesContract('GPIO inputs debounced by the kernel', async () => openInputs(null));
inputLinesContract('GPIO inputs debounced in the process', async () => openInputs('EINVAL'));

describe('GpioOutputs', () => {
  it('requests its lines as off and switches them off before it releases them', () => {
    const bench = openOutputs(true);
    expect(bench.kernel.isHigh(17)).toBe(true);
    bench.outputs.energize('strike', null);
    expect(bench.kernel.isHigh(17)).toBe(false);
    const before = bench.kernel.calls.length;
    bench.outputs.close();
    expect(bench.kernel.calls.slice(before)).toEqual([`100 c010b40f ${'00'.repeat(8)}01${'00'.repeat(7)}`]);
    expect(bench.kernel.isRequested(17)).toBe(false);
  });

  it('reports lines used by another program by number, takes them when they are free, and keeps the others working', () => {
    const { clock, kernel } = kernelAndClock();
    kernel.busy.add(27);
    const outputs = new GpioOutputs({
      chip,
      clock,
      calls: kernel,
      outputs: { horn: { line: 27 }, strike: { line: 17 } },
    });
    const faults: (PartFault | null)[] = [];
    outputs.onFault(fault => faults.push(fault));
    expect(faults).toEqual([{ kind: 'broken', message: 'GPIO line 27: EBUSY' }]);
    outputs.energize('strike', null);
    expect(kernel.isHigh(17)).toBe(true);
    expect(() => outputs.energize('horn', null)).toThrow('GPIO line 27: EBUSY');
    kernel.busy.clear();
    clock.advance(2_000);
    expect(faults.at(-1)).toBeNull();
    outputs.energize('horn', null);
    expect(kernel.isHigh(27)).toBe(true);
  });

  it('switches held lines on again when the chip returns, but not those released while it was absent', async () => {
    const { clock, kernel, plug } = kernelAndClock();
    const outputs = new GpioOutputs({ chip, clock, calls: kernel, outputs: { gate: { line: 5 }, light: { line: 6 } } });
    outputs.energize('gate', null);
    outputs.energize('light', null);
    await plug.unplug();
    expect(() => outputs.release('gate')).toThrow();
    await plug.plugIn();
    expect([kernel.isHigh(5), kernel.isHigh(6)]).toEqual([false, true]);
  });
});

describe('GpioInputs', () => {
  it('stays closed when the chip returns later', () => {
    const { clock, inputs, kernel } = openInputs(null);
    kernel.unplug();
    inputs.close();
    kernel.plugIn();
    clock.advance(10_000);
    expect(kernel.isRequested(23)).toBe(false);
  });

  it('reports a short push that happened while the process was busy', () => {
    const { inputs, kernel } = openInputs(null);
    const reported: string[] = [];
    inputs.onLevel((_, level) => reported.push(level));
    kernel.pauseEvents();
    kernel.drive(23, false);
    kernel.drive(23, true);
    kernel.resumeEvents();
    expect(reported).toEqual(['active', 'inactive']);
  });

  it('corrects a lost edge at the next poll', () => {
    const { clock, inputs, kernel } = openInputs(null);
    kernel.derivedLevel = offset => (offset === 23 ? false : undefined);
    clock.advance(600);
    expect(inputs.level('contact')).toBe('active');
  });

  it('suppresses bounces where the kernel cannot debounce', () => {
    const { clock, inputs, kernel } = openInputs('ENOTSUP');
    const reported: string[] = [];
    inputs.onLevel((_, level) => reported.push(level));
    for (let bounce = 0; bounce < 20; bounce++) {
      kernel.drive(23, bounce % 2 === 1);
      clock.advance(5);
    }
    expect(reported).toEqual([]);
    kernel.drive(23, false);
    clock.advance(30);
    expect(reported).toEqual(['active']);
  });

  it('keeps other inputs working when another program uses one', () => {
    const { clock, kernel } = kernelAndClock();
    kernel.busy.add(4);
    const pulled = { active_low: true, pull: 'up' } as const;
    const inputs = new GpioInputs({
      chip,
      clock,
      calls: kernel,
      inputs: { tamper: { line: 4, ...pulled }, exit: { line: 23, ...pulled } },
    });
    kernel.drive(23, false);
    expect([inputs.level('tamper'), inputs.level('exit')]).toEqual(['unknown', 'active']);
    kernel.busy.clear();
    clock.advance(2_000);
    expect(inputs.level('tamper')).toBe('inactive');
  });

  it('reports the label of a missing chip', () => {
    const { clock, kernel } = kernelAndClock();
    const inputs = new GpioInputs({ chip: ['pinctrl-rp1'], clock, calls: kernel, inputs: { contact: { line: 1 } } });
    const faults: (PartFault | null)[] = [];
    inputs.onFault(fault => faults.push(fault));
    expect(faults).toEqual([{ kind: 'absent', message: 'No GPIO chip has the label pinctrl-rp1' }]);
    expect(inputs.level('contact')).toBe('unknown');
  });
});
