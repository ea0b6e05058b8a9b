import { OutputLineError, type OutputLines } from '../interfaces/output-lines.ts';
import type { PartFault } from '../interfaces/part-fault.ts';
import { describe, expect, it } from 'vitest';

/** A board with a line `strike` whose level can be read. */
export interface OutputLinesTestBench {
  readonly outputs: OutputLines;
  isOn(output: string): Promise<boolean>;
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
}

/** A board that times pulses, with simulated time. */
export interface TimedOutputLinesTestBench extends OutputLinesTestBench {
  advance(milliseconds: number): Promise<void>;
}

export const outputLinesContract = (name: string, open: () => Promise<OutputLinesTestBench>): void => {
  describe(`${name} as output lines`, () => {
    it('are off until energized, and off again when released', async () => {
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

    it('reject an unknown line and leave the others unchanged', async () => {
      const bench = await open();
      bench.outputs.energize('strike', null);
      expect(() => bench.outputs.energize('no such line', null)).toThrow(OutputLineError);
      await expect.poll(() => bench.isOn('strike')).toBe(true);
      await bench.close();
    });

    it('report when the board is unplugged and plugged in again', async () => {
      const bench = await open();
      const faults: (PartFault | null)[] = [];
      bench.outputs.onFault(fault => faults.push(fault));
      await bench.unplug();
      await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
      expect(() => bench.outputs.energize('strike', null)).toThrow(OutputLineError);
      await bench.plugIn();
      await expect.poll(() => faults.at(-1)).toBeNull();
      bench.outputs.energize('strike', null);
      await expect.poll(() => bench.isOn('strike')).toBe(true);
      await bench.close();
    });
  });
};

/** For boards that time pulses. */
export const timedOutputLinesContract = (name: string, open: () => Promise<TimedOutputLinesTestBench>): void => {
  outputLinesContract(name, open);
  describe(`${name} as timed output lines`, () => {
    it('end a pulse, and a second one replaces the first', async () => {
      const bench = await open();
      bench.outputs.energize('strike', 200);
      await bench.advance(150);
      bench.outputs.energize('strike', 200);
      await bench.advance(150);
      expect(await bench.isOn('strike')).toBe(true);
      await bench.advance(60);
      expect(await bench.isOn('strike')).toBe(false);
      await bench.close();
    });
  });
};
