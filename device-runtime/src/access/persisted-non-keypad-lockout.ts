import {
  countWrongPinEntry,
  computeRemainingLockoutMs,
  createLongestLockout,
  type LockoutState,
  type LockoutTimes,
  initialLockoutState,
  restoreLockoutState,
  toSavedLockoutState,
} from '@lintel/access-core/lockout';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { ControllerStateKey, ControllerStateStore } from '../state/controller-state-keys.ts';

interface PersistedLockoutDependencies {
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly state: ControllerStateStore;
  readonly key: ControllerStateKey;
  readonly times: LockoutTimes;
}

/** Counts wrong entries that are not made at a keypad, by the rules of a keypad. A restart does not shorten a lockout. */
export class PersistedLockout {
  readonly #parts: PersistedLockoutDependencies;
  #lockout: LockoutState;

  constructor(parts: PersistedLockoutDependencies) {
    this.#parts = parts;
    const { clock, state, key, times } = parts;
    const read = state.read(key);
    const saved = state.isUnreadable?.(key) === true ? createLongestLockout(times) : read;
    const restored = restoreLockoutState(times, saved, clock.now());
    this.#lockout = restored.ok ? restored.value : initialLockoutState;
  }

  /** 0 when entries are accepted. */
  lockedForMs(): number {
    return computeRemainingLockoutMs(this.#lockout, this.#parts.clock.now());
  }

  get wrongEntries(): number {
    return this.#lockout.wrong_entries;
  }

  /** Returns how long this entry locks, or 0. */
  countWrongEntry(): number {
    const { times, clock } = this.#parts;
    const { lockout, locked_ms } = countWrongPinEntry(times, this.#lockout, clock.now());
    this.#update(lockout);
    return locked_ms;
  }

  clear(): void {
    if (this.#lockout !== initialLockoutState) this.#update(initialLockoutState);
  }

  #update(lockout: LockoutState): void {
    const { state, key, clock } = this.#parts;
    this.#lockout = lockout;
    state.write(key, toSavedLockoutState(lockout, clock.now()));
  }
}
