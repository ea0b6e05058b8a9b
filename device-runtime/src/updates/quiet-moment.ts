import { after } from '@lintel/access-core/monotonic';
import { quietMoment as quietMomentOf, type QuietTerms } from '@lintel/updates/quiet-moment';
import type { UpdateClock } from '@lintel/updates/update-clock';
import type { Controller } from '../controller/controller.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';

/** What has to be known of a door to stop its controller without anybody noticing. */
export interface WatchedDoor {
  readonly controller: Pick<Controller, 'isResting'> & {
    readonly technician: Pick<Controller['technician'], 'live' | 'clock'>;
  };
}

export const updateClock = (clock: MonotonicClock): UpdateClock => ({
  now: () => clock.now(),
  after: (ms, work) => clock.wake(after(clock.now(), ms), work),
});

/** Settles when no door moves or is open for somebody, nobody types, and nothing has happened for a while. */
export const quietMoment = ({ controller }: WatchedDoor, terms: QuietTerms): Promise<void> => {
  const { clock, live } = controller.technician;
  const work = {
    clock: updateClock(clock),
    isResting: () => controller.isResting(),
    listen: (happened: () => void) => live.listen(happened),
  };
  return quietMomentOf(work, terms);
};
