import type { InputLines, InputLineState } from '../interfaces/input-lines.ts';
import type { PartFault } from '../interfaces/part-fault.ts';
import { describe, expect, it } from 'vitest';

/** A board with a line `contact` and a simulated door. */
export interface InputLinesTestBench {
  readonly inputs: InputLines;
  move(input: string, level: 'active' | 'inactive'): Promise<void>;
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
}

/** A board that supervises its wires, and a way to cut one of them. */
export interface SupervisedLinesTestBench extends InputLinesTestBench {
  cut(input: string): Promise<void>;
}

export const inputLinesContract = (name: string, open: () => Promise<InputLinesTestBench>): void => {
  describe(`${name} as input lines`, () => {
    it('report the level of a line and every change once', async () => {
      const bench = await open();
      const reported: [string, InputLineState][] = [];
      bench.inputs.onLevel((input, level) => reported.push([input, level]));
      await bench.move('contact', 'active');
      await expect.poll(() => bench.inputs.level('contact')).toBe('active');
      await bench.move('contact', 'active');
      await bench.move('contact', 'inactive');
      await expect
        .poll(() => reported)
        .toEqual([
          ['contact', 'active'],
          ['contact', 'inactive'],
        ]);
      await bench.close();
    });

    it('report an unknown level while the board is unplugged, and the level afterwards', async () => {
      const bench = await open();
      await bench.move('contact', 'active');
      const levels: InputLineState[] = [];
      const faults: (PartFault | null)[] = [];
      bench.inputs.onLevel((_, level) => levels.push(level));
      bench.inputs.onFault(fault => faults.push(fault));
      await bench.unplug();
      await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
      expect(bench.inputs.level('contact')).toBe('unknown');
      expect(bench.inputs.isCut('contact')).toBe(false);
      await bench.plugIn();
      await expect.poll(() => faults.at(-1)).toBeNull();
      await expect.poll(() => levels).toEqual(['unknown', 'active']);
      await bench.close();
    });
  });
};

export const supervisedLinesContract = (name: string, open: () => Promise<SupervisedLinesTestBench>): void => {
  inputLinesContract(name, open);
  describe(`${name} as supervised lines`, () => {
    it('distinguish a cut wire from an unplugged board', async () => {
      const bench = await open();
      await bench.move('contact', 'active');
      await expect.poll(() => bench.inputs.level('contact')).toBe('active');
      const reported: [InputLineState, boolean][] = [];
      const faults: (PartFault | null)[] = [];
      bench.inputs.onLevel((input, level) => reported.push([level, bench.inputs.isCut(input)]));
      bench.inputs.onFault(fault => faults.push(fault));
      await bench.cut('contact');
      await expect.poll(() => reported).toEqual([['unknown', true]]);
      await bench.unplug();
      await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
      expect([bench.inputs.level('contact'), bench.inputs.isCut('contact')]).toEqual(['unknown', false]);
      reported.length = 0;
      await bench.plugIn();
      await expect.poll(() => reported).toEqual([['unknown', true]]);
      await bench.move('contact', 'inactive');
      await expect.poll(() => reported.at(-1)).toEqual(['inactive', false]);
      await bench.close();
    });
  });
};
