import type { Timers } from '@lintel/service/timing/timers';

/** Runs on whatever the time of day does. */
export interface UpdateClock extends Timers {
  now(): number;
}
