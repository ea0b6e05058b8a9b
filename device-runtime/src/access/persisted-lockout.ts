import {
  countWrongEntry,
  lockedFor,
  type Lockout,
  type LockoutTimes,
  noWrongEntries,
  restoreLockout,
  saveLockout,
} from '@lintel/access-core/lockout';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { StateKey, StateStore } from '../state/state-store.ts';

interface PersistedLockoutParts {
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly state: StateStore;
  readonly key: StateKey;
  readonly times: LockoutTimes;
}

/** Wrong entries that are not those of a keypad, counted by its rules. A restart does not shorten a lockout. */
export class PersistedLockout {
  readonly #parts: PersistedLockoutParts;
  #lockout: Lockout;

  constructor(parts: PersistedLockoutParts) {
    this.#parts = parts;
    const { clock, state, key, times } = parts;
    const restored = restoreLockout(times, state.read(key), clock.now());
    this.#lockout = restored.ok ? restored.value : noWrongEntries;
  }

  /** 0 when another entry is taken. */
  lockedForMs(): number {
    return lockedFor(this.#lockout, this.#parts.clock.now());
  }

  get wrongEntries(): number {
    return this.#lockout.wrong_entries;
  }

  /** How long this one locks, 0 when it does not. */
  wrong(): number {
    const { times, clock } = this.#parts;
    const { lockout, locked_ms } = countWrongEntry(times, this.#lockout, clock.now());
    this.#become(lockout);
    return locked_ms;
  }

  clear(): void {
    if (this.#lockout !== noWrongEntries) this.#become(noWrongEntries);
  }

  #become(lockout: Lockout): void {
    const { state, key, clock } = this.#parts;
    this.#lockout = lockout;
    state.write(key, saveLockout(lockout, clock.now()));
  }
}
