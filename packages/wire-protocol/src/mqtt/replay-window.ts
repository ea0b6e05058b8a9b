import * as z from 'zod';
import { counter } from './message-fields.ts';

/*
 * Frames are numbered by their sender. Most come in order; one that another has overtaken, or that is sent again because
 * nobody knows whether it arrived, is still welcome, but each number only once.
 */

/** How far behind the highest number a late one may be. */
const WIDTH = 64;

/** What a receiver remembers, as it is kept on a disk. */
export const replayWindow = z.object({
  highest: counter,
  /** Below the highest and not seen yet, ascending. */
  missing: z.array(counter).max(WIDTH),
});
export type ReplayWindow = z.infer<typeof replayWindow>;

/** Before the first frame: numbers begin with 1. */
export const freshWindow: ReplayWindow = { highest: 0, missing: [] };

/** The window with this number in it; null when it was there already, or is too old to tell. */
export const acceptNumber = ({ highest, missing }: ReplayWindow, number: number): ReplayWindow | null => {
  if (number > highest) {
    const from = Math.max(highest + 1, number - WIDTH + 1);
    const skipped = Array.from({ length: number - from }, (_, index) => from + index);
    return { highest: number, missing: [...missing.filter(one => one > number - WIDTH), ...skipped] };
  }
  return missing.includes(number) ? { highest, missing: missing.filter(one => one !== number) } : null;
};
