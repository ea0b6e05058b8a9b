import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import type { Keypad } from '../interfaces/keypad.ts';
import type { PartFault } from '../interfaces/part-fault.ts';
import { describe, expect, it } from 'vitest';

/** A keypad whose keys and plug are simulated. */
export interface KeypadTestBench {
  readonly keypad: Keypad;
  press(keys: string): Promise<void>;
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
}

export const keypadContract = (name: string, open: () => Promise<KeypadTestBench>): void => {
  describe(`${name} as a keypad`, () => {
    it('reports every key once and in order', async () => {
      const bench = await open();
      const keys: KeypadKey[] = [];
      bench.keypad.onKey(key => keys.push(key));
      await bench.press('0123456789*#');
      await bench.press('11');
      await expect.poll(() => keys.join('')).toBe('0123456789*#11');
      await bench.close();
    });

    it('does not buffer keys for later listeners', async () => {
      const bench = await open();
      await bench.press('12');
      const keys: KeypadKey[] = [];
      bench.keypad.onKey(key => keys.push(key));
      await bench.press('3');
      await expect.poll(() => keys).toEqual(['3']);
      await bench.close();
    });

    it('reports when it is unplugged and plugged in again, and then reports keys', async () => {
      const bench = await open();
      const faults: (PartFault | null)[] = [];
      const keys: KeypadKey[] = [];
      bench.keypad.onFault(fault => faults.push(fault));
      bench.keypad.onKey(key => keys.push(key));
      await bench.unplug();
      await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
      await bench.plugIn();
      await expect.poll(() => faults.at(-1)).toBeNull();
      await bench.press('5');
      await expect.poll(() => keys).toEqual(['5']);
      await bench.close();
    });
  });
};
