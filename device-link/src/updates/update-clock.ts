import type { Timers } from '../timers.ts';

/** Runs on whatever the time of day does. */
export interface UpdateClock extends Timers {
  now(): number;
}
