import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readLines } from './line-mode.ts';
import type { TrialDoor } from './trial-door.ts';

const setUp = () => {
  const written: string[] = [];
  const pressed: string[] = [];
  const door = {
    key: (key: string) => pressed.push(key),
    view: () => ({ entry: { phase: 'idle' }, doors: [{ name: 'Front', isUnlocked: true }] }),
  } as unknown as TrialDoor;
  const input = new PassThrough();
  return { input, written, pressed, done: readLines(door, input, { write: text => written.push(text) }) };
};

describe('readLines', () => {
  it('reports the state after each line, also after a last line without a line break', async () => {
    const { input, written, pressed, done } = setUp();
    input.end('25\n\n80');
    await done;
    expect(pressed.join('')).toBe('2580');
    expect(written).toEqual(['= idle · Front UNLOCKED\n', '= idle · Front UNLOCKED\n']);
  });

  it('names a character that has no meaning', async () => {
    const { input, written, done } = setUp();
    input.end('z');
    await done;
    expect(written[0]).toBe('? z means nothing here\n');
  });

  it('ends on "q" and closes an input that is still open', async () => {
    const { input, pressed, done } = setUp();
    input.write('1q2\n3\n');
    await done;
    expect([pressed, input.destroyed]).toEqual([['1'], true]);
  });
});
