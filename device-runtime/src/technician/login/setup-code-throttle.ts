import { defaultLockoutTimes } from '@lintel/access-core/lockout';
import { PersistedLockout } from '../../access/persisted-non-keypad-lockout.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { ControllerStateStore } from '../../state/controller-state-keys.ts';

/**
 * Counts wrong setup codes for the whole controller, because an attacker can use many addresses. The fifth locks for 30 s,
 * each further one for twice as long, up to 15 min. The right code or the setup button ends the lock.
 */
export class SetupCodeThrottle extends PersistedLockout {
  constructor(clock: Pick<MonotonicClock, 'now'>, state: ControllerStateStore) {
    super({ clock, state, key: 'technician_lockout', times: defaultLockoutTimes });
  }
}
