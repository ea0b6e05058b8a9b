import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptFrameNumber, emptyReplayWindow, type ReplayWindow, replayWindowSchema } from './replay-window.ts';

const receive = (numbers: readonly number[]): number[] => {
  let window: ReplayWindow = emptyReplayWindow;
  return numbers.filter(number => {
    const accepted = acceptFrameNumber(window, number);
    window = accepted ?? window;
    return accepted !== null;
  });
};

describe('replay window', () => {
  it('accepts ascending numbers, each once', () => {
    expect(receive([1, 2, 2, 3, 1])).toEqual([1, 2, 3]);
  });

  it('accepts an overtaken number late, and once', () => {
    expect(receive([1, 4, 2, 2, 3, 4])).toEqual([1, 4, 2, 3]);
  });

  it('rejects a number 64 behind the highest, but not one 63 behind', () => {
    expect(receive([100, 36])).toEqual([100]);
    expect(receive([100, 37])).toEqual([100, 37]);
  });

  it('accepts every new and recent number exactly once and stays small', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 300 }), numbers => {
        let window: ReplayWindow = emptyReplayWindow;
        const taken = new Set<number>();
        for (const number of numbers) {
          const accepted = acceptFrameNumber(window, number);
          const isDue = !taken.has(number) && number > window.highest - 64;
          expect(accepted !== null).toBe(isDue);
          if (accepted === null) continue;
          taken.add(number);
          window = accepted;
          expect(replayWindowSchema.safeParse(window).success).toBe(true);
          expect(window.highest).toBe(Math.max(...taken));
        }
      }),
    );
  });

  it('keeps only the window after a jump forward', () => {
    expect(acceptFrameNumber({ highest: 5, missing: [3] }, Number.MAX_SAFE_INTEGER)?.missing).toHaveLength(63);
  });
});
