import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { ReconnectingSerialLine } from '../serial-line/reconnecting-serial-line.ts';
import { SerialKeypad } from './keypad.ts';
import type { PartFault } from '../interfaces/part-fault.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { requireProgram } from '@lintel/test/support/require-program';
import { openPty, requiredPython } from '@lintel/test/support/processes/pty';
import { keypadContract } from '../testing/keypad-contract.ts';

const open = async () => {
  const pty = await openPty();
  const line = new ReconnectingSerialLine({ path: pty.path, baud_rate: 9600 });
  const keypad = new SerialKeypad({ line, clock: new ProcessClock() });
  let read = 0;
  line.onBytes(bytes => {
    read += bytes.length;
  });
  // Written when the port is open, because the terminal loses earlier keys.
  await line.write(new Uint8Array(1));
  return {
    pty,
    keypad,
    press: async (keys: string) => {
      const all = read + keys.length;
      await pty.write(Buffer.from(keys, 'ascii'));
      await expect.poll(() => read).toBe(all);
    },
    unplug: () => pty.unplug(),
    plugIn: () => pty.plugIn(),
    close: async () => {
      await keypad.close();
      await pty.close();
    },
  };
};

beforeEach(context => requireProgram(context, requiredPython));

keypadContract('Serial keypad', open);

describe('SerialKeypad on a bad line', () => {
  it('reports noise as a fault, no key during it, and recovers afterwards', async () => {
    const { pty, keypad, close } = await open();
    const keys: string[] = [];
    const faults: (PartFault | null)[] = [];
    keypad.onKey(key => keys.push(key));
    keypad.onFault(fault => faults.push(fault));
    for (let round = 0; round < 20; round++)
      await pty.write(Uint8Array.from({ length: 50_000 }, (_, index) => (index * 7 + round) % 256));
    await expect.poll(() => faults.at(-1)?.kind).toBe('broken');
    await expect.poll(() => faults.at(-1)).toBeNull();
    expect(keys).toEqual([]);
    await pty.write(Buffer.from('42#'));
    await expect.poll(() => keys.join('')).toBe('42#');
    await close();
  });
});
