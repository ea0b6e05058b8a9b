import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import { type IdleWaitOptions, waitUntilIdle } from '@lintel/updates/wait-until-idle';
import type { UpdateClock } from '@lintel/updates/update-clock-interface';
import type { Controller } from '../controller/controller.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';

/** A controller whose activity can be observed. */
export interface ObservedController {
  readonly controller: Pick<Controller, 'isIdle'> & {
    readonly technician: Pick<Controller['technician'], 'live' | 'clock'>;
  };
}

export const createUpdateClock = (clock: MonotonicClock): UpdateClock => ({
  now: () => clock.now(),
  after: (ms, work) => clock.wake(addMilliseconds(clock.now(), ms), work),
});

/** Settles when no door is moving or open, no PIN is being entered, and nothing happened for a while. */
export const waitUntilControllerIdle = (
  { controller }: ObservedController,
  options: IdleWaitOptions,
): Promise<void> => {
  const { clock, live } = controller.technician;
  const work = {
    clock: createUpdateClock(clock),
    isIdle: () => controller.isIdle(),
    onActivity: (listener: () => void) => live.listen(listener),
  };
  return waitUntilIdle(work, options);
};
