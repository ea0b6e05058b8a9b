import type { CompiledInputRules } from '@lintel/access-core/input-rules-compiled';
import { stepKeyEntry, nextKeyEntryDeadline } from '@lintel/access-core/key-entry';
import {
  type PendingKeyEntry,
  createInitialKeyEntryState,
  type KeyEntryEffect,
  type KeyEntryInput,
  type KeyEntryState,
  type KeyEntryTimes,
  type KeypadEntryContext,
} from '@lintel/access-core/key-entry-types';
import {
  type LockoutState,
  initialLockoutState,
  restoreLockoutState,
  type SavedLockoutState,
  toSavedLockoutState,
} from '@lintel/access-core/lockout';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { AccessChecker, AccessDecision } from '../access/access-checker.ts';
import type { Tap } from '../credentials/reader-tap-type.ts';

export type ReaderUnitKeyEntryInput = KeyEntryInput<Tap>;
export type ReaderUnitKeyEntryEffect = KeyEntryEffect<Tap, AccessDecision>;

/** A keypad and reader in one place, with the state of PIN entry and lockout. */
export class ReaderUnit {
  readonly id: string;
  readonly #keypad: KeypadEntryContext<AccessDecision>;
  #state: KeyEntryState;

  constructor(
    id: string,
    checker: AccessChecker,
    rules: () => CompiledInputRules,
    times: KeyEntryTimes,
    saved: unknown,
    now: MonotonicTime,
  ) {
    this.id = id;
    this.#keypad = {
      get rules() {
        return rules();
      },
      times,
      pins: checker.pins,
      checkPin: (destination, pin) => checker.checkPin(destination, pin),
    };
    const lockout = restoreLockoutState(times, saved, now);
    this.#state = createInitialKeyEntryState(lockout.ok ? lockout.value : initialLockoutState);
  }

  handleInput(input: ReaderUnitKeyEntryInput, now: MonotonicTime): readonly ReaderUnitKeyEntryEffect[] {
    const { state, effects } = stepKeyEntry<Tap, AccessDecision>(this.#keypad, this.#state, input, now);
    this.#state = state;
    return effects;
  }

  deadline(): MonotonicTime | null {
    return nextKeyEntryDeadline(this.#state);
  }

  get entry(): PendingKeyEntry {
    return this.#state.entry;
  }

  /** The same object until a wrong entry changes it. */
  get lockout(): LockoutState {
    return this.#state.lockout;
  }

  savedLockout(now: MonotonicTime): SavedLockoutState {
    return toSavedLockoutState(this.#state.lockout, now);
  }
}
