import { defaultLockoutTimes } from '@lintel/access-core/lockout';
import { PersistedLockout } from '../../access/persisted-lockout.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { StateStore } from '../../state/state-store.ts';

/**
 * Wrong setup codes, counted for the controller as a whole: whoever guesses has many addresses. The fifth locks for 30 s,
 * each further one for twice as long, 15 min at most. The right code clears it, and so does somebody who stands at the
 * board and presses its button.
 */
export class LoginThrottle extends PersistedLockout {
  constructor(clock: Pick<MonotonicClock, 'now'>, state: StateStore) {
    super({ clock, state, key: 'technician_lockout', times: defaultLockoutTimes });
  }
}
