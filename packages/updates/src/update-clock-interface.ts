import type { Timers } from '@lintel/service/timing/timers';

/** A monotonic clock with timers. */
export interface UpdateClock extends Timers {
  now(): number;
}
