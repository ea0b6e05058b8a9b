import * as z from 'zod';
import { nonNegativeIntegerSchema } from './message-fields.ts';

/*
 * Senders number their frames. Most arrive in order; delayed and repeated frames are accepted too, but each number
 * only once.
 */

/** How far a late number may be behind the highest. */
const WIDTH = 64;

/** State of a receiver, as stored on disk. */
export const replayWindowSchema = z.object({
  highest: nonNegativeIntegerSchema,
  /** Numbers below the highest that have not arrived, ascending. */
  missing: z.array(nonNegativeIntegerSchema).max(WIDTH),
});
export type ReplayWindow = z.infer<typeof replayWindowSchema>;

/** Before the first frame; numbers begin with 1. */
export const emptyReplayWindow: ReplayWindow = { highest: 0, missing: [] };

/** Returns the window including this number; null if the number is a repetition or too old. */
export const acceptFrameNumber = ({ highest, missing }: ReplayWindow, number: number): ReplayWindow | null => {
  if (number > highest) {
    const from = Math.max(highest + 1, number - WIDTH + 1);
    const skipped = Array.from({ length: number - from }, (_, index) => from + index);
    return { highest: number, missing: [...missing.filter(one => one > number - WIDTH), ...skipped] };
  }
  return missing.includes(number) ? { highest, missing: missing.filter(one => one !== number) } : null;
};
