import {
  countWrongEntry,
  defaultLockoutTimes,
  lockedFor,
  type Lockout,
  noWrongEntries,
  restoreLockout,
  saveLockout,
} from '@lintel/access-core/lockout';
import type { MonotonicClock } from '../ports/monotonic-clock.ts';
import type { StateStore } from '../ports/state-store.ts';

/**
 * Wrong setup codes, counted for the controller as a whole: whoever guesses has many addresses. The fifth locks for 30 s,
 * each further one for twice as long, 15 min at most. A restart does not shorten it.
 */
export class LoginThrottle {
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #state: StateStore;
  #lockout: Lockout;

  constructor(clock: Pick<MonotonicClock, 'now'>, state: StateStore) {
    this.#clock = clock;
    this.#state = state;
    const restored = restoreLockout(defaultLockoutTimes, state.read('technician_lockout'), clock.now());
    this.#lockout = restored.ok ? restored.value : noWrongEntries;
  }

  /** 0 when a code may be tried. */
  lockedForMs(): number {
    return lockedFor(this.#lockout, this.#clock.now());
  }

  get wrongEntries(): number {
    return this.#lockout.wrong_entries;
  }

  wrong(): void {
    this.#become(countWrongEntry(defaultLockoutTimes, this.#lockout, this.#clock.now()).lockout);
  }

  /** The right code, or somebody who stands at the board and presses its button. */
  clear(): void {
    if (this.#lockout !== noWrongEntries) this.#become(noWrongEntries);
  }

  #become(lockout: Lockout): void {
    this.#lockout = lockout;
    this.#state.write('technician_lockout', saveLockout(lockout, this.#clock.now()));
  }
}
