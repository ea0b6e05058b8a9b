import type { InputLines, LineLevel } from '@lintel/device-runtime/ports/input-lines';
import type { PartFault } from '@lintel/device-runtime/ports/part-fault';
import { describe, expect, it } from 'vitest';

/** A board with a line `contact`, and somebody who moves the door. */
export interface InputLinesBench {
  readonly inputs: InputLines;
  move(input: string, level: 'active' | 'inactive'): Promise<void>;
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
}

export const inputLinesContract = (name: string, open: () => Promise<InputLinesBench>): void => {
  describe(`${name} as input lines`, () => {
    it('tells the level that a line has, and every change of it once', async () => {
      const bench = await open();
      const told: [string, LineLevel][] = [];
      bench.inputs.onLevel((input, level) => told.push([input, level]));
      await bench.move('contact', 'active');
      await expect.poll(() => bench.inputs.level('contact')).toBe('active');
      await bench.move('contact', 'active');
      await bench.move('contact', 'inactive');
      await expect
        .poll(() => told)
        .toEqual([
          ['contact', 'active'],
          ['contact', 'inactive'],
        ]);
      await bench.close();
    });

    it('does not know the level of a line that is cut, and learns it again', async () => {
      const bench = await open();
      await bench.move('contact', 'active');
      const levels: LineLevel[] = [];
      const faults: (PartFault | null)[] = [];
      bench.inputs.onLevel((_, level) => levels.push(level));
      bench.inputs.onFault(fault => faults.push(fault));
      await bench.unplug();
      await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
      expect(bench.inputs.level('contact')).toBe('unknown');
      await bench.plugIn();
      await expect.poll(() => faults.at(-1)).toBeNull();
      await expect.poll(() => levels).toEqual(['unknown', 'active']);
      await bench.close();
    });
  });
};
