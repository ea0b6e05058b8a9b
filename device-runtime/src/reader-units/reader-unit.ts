import type { CompiledInputRules } from '@lintel/access-core/input-rules-compiled';
import { keyEntry, nextDeadline } from '@lintel/access-core/key-entry';
import {
  type Entry,
  initialKeyEntry,
  type KeyEntryEffect,
  type KeyEntryInput,
  type KeyEntryState,
  type KeyEntryTimes,
  type Keypad,
} from '@lintel/access-core/key-entry-model';
import {
  type Lockout,
  noWrongEntries,
  restoreLockout,
  type SavedLockout,
  saveLockout,
} from '@lintel/access-core/lockout';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { AccessChecker, AccessDecision } from '../access/access-checker.ts';
import type { Tap } from '../credentials/tap.ts';

export type ReaderUnitInput = KeyEntryInput<Tap>;
export type ReaderUnitEffect = KeyEntryEffect<Tap, AccessDecision>;

/** One place with a keypad or a reader: what has been typed there, and its wrong entries. */
export class ReaderUnit {
  readonly id: string;
  readonly #keypad: Keypad<AccessDecision>;
  #state: KeyEntryState;

  constructor(
    id: string,
    checker: AccessChecker,
    rules: () => CompiledInputRules,
    times: KeyEntryTimes,
    saved: unknown,
    now: Monotonic,
  ) {
    this.id = id;
    this.#keypad = {
      get rules() {
        return rules();
      },
      times,
      pins: checker.pins,
      checkPin: (destination, pin) => checker.pin(destination, pin),
    };
    const lockout = restoreLockout(times, saved, now);
    this.#state = initialKeyEntry(lockout.ok ? lockout.value : noWrongEntries);
  }

  take(input: ReaderUnitInput, now: Monotonic): readonly ReaderUnitEffect[] {
    const { state, effects } = keyEntry<Tap, AccessDecision>(this.#keypad, this.#state, input, now);
    this.#state = state;
    return effects;
  }

  deadline(): Monotonic | null {
    return nextDeadline(this.#state);
  }

  /** What has been typed so far has come to. */
  get entry(): Entry {
    return this.#state.entry;
  }

  /** The same object until a wrong entry changes it. */
  get lockout(): Lockout {
    return this.#state.lockout;
  }

  savedLockout(now: Monotonic): SavedLockout {
    return saveLockout(this.#state.lockout, now);
  }
}
