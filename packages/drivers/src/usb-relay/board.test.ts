import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { ReconnectingSerialLine } from '../serial-line/reconnecting-serial-line.ts';
import { LcusRelay } from './board.ts';
import type { PartFault } from '../interfaces/part-fault.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { requireProgram } from '@lintel/test/support/require-program';
import { SimulatedLcusBoard } from '@lintel/test/support/hardware/simulated-lcus-board';
import { openPty, requiredPython } from '@lintel/test/support/processes/pty';
import { outputLinesContract } from '../testing/output-lines-contract.ts';

const channels: Readonly<Record<string, number>> = { strike: 1, gate: 2 };

const open = async (answers: boolean, before: (board: SimulatedLcusBoard) => void = () => undefined) => {
  const pty = await openPty();
  const board = new SimulatedLcusBoard(pty, answers);
  before(board);
  const line = new ReconnectingSerialLine({ path: pty.path, baud_rate: 9600 });
  const outputs = new LcusRelay({ line, clock: new ProcessClock(), outputs: channels, answers });
  return {
    board,
    pty,
    outputs,
    isOn: async (output: string) => board.isOn(channels[output]!),
    unplug: () => pty.unplug(),
    plugIn: async () => {
      board.reset();
      await pty.plugIn();
    },
    close: async () => {
      await outputs.close();
      await pty.close();
    },
  };
};

beforeEach(context => requireProgram(context, requiredPython));

outputLinesContract('LCUS relay', () => open(false));
outputLinesContract('LCUS relay with answers', () => open(true));

describe('LCUS relay after a disconnection', () => {
  it('switches on again the lines that are held, but not those released while it was absent', async () => {
    const bench = await open(false);
    const faults: (PartFault | null)[] = [];
    bench.outputs.onFault(fault => faults.push(fault));
    bench.outputs.energize('strike', null);
    bench.outputs.energize('gate', null);
    await expect.poll(() => bench.isOn('gate')).toBe(true);
    await bench.unplug();
    await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
    expect(() => bench.outputs.release('gate')).toThrow();
    await bench.plugIn();
    await expect.poll(() => faults.at(-1)).toBeNull();
    await expect.poll(() => bench.isOn('strike')).toBe(true);
    expect(await bench.isOn('gate')).toBe(false);
    await bench.close();
  });

  it('reports a fault while it does not answer, and recovers when it answers again', { tags: ['slow'] }, async () => {
    const bench = await open(true);
    const faults: (PartFault | null)[] = [];
    bench.outputs.onFault(fault => faults.push(fault));
    bench.outputs.energize('strike', null);
    await expect.poll(() => bench.isOn('strike')).toBe(true);
    bench.board.isSilent = true;
    await expect.poll(() => faults.at(-1)?.kind).toBe('broken');
    bench.board.reset();
    bench.board.isSilent = false;
    await expect.poll(() => faults.at(-1)).toBeNull();
    await expect.poll(() => bench.isOn('strike')).toBe(true);
    await bench.outputs.close();
    await expect.poll(() => bench.isOn('strike')).toBe(false);
    await bench.close();
  });
});

describe('LCUS relay configured with answers', () => {
  it('is switched off at startup by both kinds of commands', async () => {
    const bench = await open(true);
    const start = 'a00100a1a00200a2a00102a3a00202a4';
    await expect.poll(() => bench.pty.received().toString('hex').slice(0, start.length)).toBe(start);
    await bench.close();
  });

  it('is switched off after a crash though it is of the older type, with a fault that names the setting', async () => {
    const bench = await open(true, board => {
      board.isOld = true;
      board.leaveOn(1);
    });
    const faults: (PartFault | null)[] = [];
    bench.outputs.onFault(fault => faults.push(fault));
    await expect.poll(() => bench.isOn('strike')).toBe(false);
    await expect.poll(() => faults.at(-1)?.message).toMatch(/remove "answers" from the profile/);
    await bench.close();
  });
});
