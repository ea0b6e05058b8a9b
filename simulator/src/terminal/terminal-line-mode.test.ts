import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runTerminalLineMode } from './terminal-line-mode.ts';
import type { DoorSimulation } from './door-simulation.ts';

const setUp = () => {
  const written: string[] = [];
  const pressed: string[] = [];
  const door = {
    pressKey: (key: string) => pressed.push(key),
    view: () => ({ entry: { phase: 'idle' }, doors: [{ name: 'Front', isUnlocked: true }] }),
  } as unknown as DoorSimulation;
  const input = new PassThrough();
  return { input, written, pressed, done: runTerminalLineMode(door, input, { write: text => written.push(text) }) };
};

describe('runTerminalLineMode', () => {
  it('reports the state after each line, also after a last line without a line break', async () => {
    const { input, written, pressed, done } = setUp();
    input.end('25\n\n80');
    await done;
    expect(pressed.join('')).toBe('2580');
    expect(written).toEqual(['= idle · Front UNLOCKED\n', '= idle · Front UNLOCKED\n']);
  });

  it('reports an unknown key', async () => {
    const { input, written, done } = setUp();
    input.end('z');
    await done;
    expect(written[0]).toBe('Unknown key: z\n');
  });

  it('ends on "q" and closes an input that is still open', async () => {
    const { input, pressed, done } = setUp();
    input.write('1q2\n3\n');
    await done;
    expect([pressed, input.destroyed]).toEqual([['1'], true]);
  });
});
