import { OutputFailure, type OutputLines } from '@lintel/device-runtime/ports/output-lines';
import type { PartFault } from '@lintel/device-runtime/ports/part-fault';
import { describe, expect, it } from 'vitest';

/** A board with a line `strike`, and somebody with a meter. */
export interface OutputLinesBench {
  readonly outputs: OutputLines;
  isOn(output: string): Promise<boolean>;
  /** Lets time pass for the board. */
  pass(milliseconds: number): Promise<void>;
  /** Whether the board ends a pulse by itself. */
  readonly timesPulses: boolean;
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
}

export const outputLinesContract = (name: string, open: () => Promise<OutputLinesBench>): void => {
  describe(`${name} as output lines`, () => {
    it('is off until it is energized, and off again when it is released', async () => {
      const bench = await open();
      expect(await bench.isOn('strike')).toBe(false);
      bench.outputs.energize('strike', null);
      await expect.poll(() => bench.isOn('strike')).toBe(true);
      bench.outputs.release('strike');
      await expect.poll(() => bench.isOn('strike')).toBe(false);
      bench.outputs.release('strike');
      expect(await bench.isOn('strike')).toBe(false);
      await bench.close();
    });

    it('ends a pulse by itself where the board can, and a second one replaces the first', async context => {
      const bench = await open();
      if (!bench.timesPulses) return context.skip('this board cannot time a pulse');
      bench.outputs.energize('strike', 200);
      await bench.pass(150);
      bench.outputs.energize('strike', 200);
      await bench.pass(150);
      expect(await bench.isOn('strike')).toBe(true);
      await bench.pass(60);
      expect(await bench.isOn('strike')).toBe(false);
      await bench.close();
    });

    it('refuses a line that it does not have, and the others stay as they were', async () => {
      const bench = await open();
      bench.outputs.energize('strike', null);
      expect(() => bench.outputs.energize('no such line', null)).toThrow(OutputFailure);
      await expect.poll(() => bench.isOn('strike')).toBe(true);
      await bench.close();
    });

    it('tells when the board is gone and when it is back', async () => {
      const bench = await open();
      const faults: (PartFault | null)[] = [];
      bench.outputs.onFault(fault => faults.push(fault));
      await bench.unplug();
      await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
      expect(() => bench.outputs.energize('strike', null)).toThrow(OutputFailure);
      await bench.plugIn();
      await expect.poll(() => faults.at(-1)).toBeNull();
      bench.outputs.energize('strike', null);
      await expect.poll(() => bench.isOn('strike')).toBe(true);
      await bench.close();
    });
  });
};
