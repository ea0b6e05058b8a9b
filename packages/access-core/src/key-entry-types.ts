import type { CompiledInputRules, CredentialDestination } from './input-rules-compiled.ts';
import { defaultLockoutTimes, initialLockoutState, type LockoutState, type LockoutTimes } from './lockout.ts';
import { addMilliseconds, type MonotonicTime } from './monotonic-time.ts';
import type { PinDigits } from './pin-digits.ts';

export type KeypadKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '*' | '#';

export interface KeyEntryTimes extends LockoutTimes {
  /** A known PIN that is a prefix of a longer one is submitted after this time without a key. */
  readonly known_pin_pause_ms: number;
  /** An unfinished entry is discarded after this time without a key. */
  readonly forget_ms: number;
}

export const defaultKeyEntryTimes: KeyEntryTimes = {
  ...defaultLockoutTimes,
  known_pin_pause_ms: 3_000,
  forget_ms: 10_000,
};

/** The PINs of the controller's snapshot, regardless of validity. Called with 4 to 20 digits only. */
export interface KnownPinLookup {
  known(pin: PinDigits): boolean;
  /** Whether a longer known PIN begins with these digits. */
  extended(pin: PinDigits): boolean;
}

export interface PinCheckResult {
  readonly granted: boolean;
}

/**
 * What key entry needs from its keypad. `checkPin` only decides and opens nothing: its result determines whether the
 * entry was wrong, which must be known before the next key.
 */
export interface KeypadEntryContext<V extends PinCheckResult> {
  readonly rules: CompiledInputRules;
  readonly times: KeyEntryTimes;
  readonly pins: KnownPinLookup;
  checkPin(destination: CredentialDestination, pin: PinDigits): V;
}

export type PendingKeyEntry =
  | { readonly phase: 'idle' }
  | { readonly phase: 'code'; readonly typed: string; readonly forget_at: MonotonicTime }
  | {
      readonly phase: 'armed';
      readonly destination: CredentialDestination;
      readonly digits: string;
      /** When a complete PIN is submitted; null if there is none or it was checked already. */
      readonly pause_at: MonotonicTime | null;
      readonly forget_at: MonotonicTime;
    };

/** `lockout` keeps its identity until a wrong entry changes it, so that the owner knows when to save it. */
export interface KeyEntryState {
  readonly entry: PendingKeyEntry;
  readonly lockout: LockoutState;
  /** Until then, `#` is ignored while idle: people end a PIN with it that opened at its last digit. */
  readonly ignore_enter_until: MonotonicTime | null;
}

export const createInitialKeyEntryState = (lockout: LockoutState = initialLockoutState): KeyEntryState => ({
  entry: { phase: 'idle' },
  lockout,
  ignore_enter_until: null,
});

/** How long `#` is ignored after a PIN or a card that opened. */
const IGNORE_ENTER_MS = 2_000;

export const ignoreEnterAfter = (state: KeyEntryState, at: MonotonicTime): KeyEntryState => ({
  ...state,
  ignore_enter_until: addMilliseconds(at, IGNORE_ENTER_MS),
});

export type KeyEntryInput<Card> =
  | { readonly type: 'key'; readonly key: KeypadKey }
  | { readonly type: 'card'; readonly card: Card }
  /** Time has passed: the owner sends it when `nextKeyEntryDeadline` is due. */
  | { readonly type: 'timer' }
  /** The controller that owns the gadget denied a PIN that was granted here, so it counts as a wrong entry. */
  | { readonly type: 'refused_elsewhere' }
  /** A card or a phone opened, or another controller did after a PIN. */
  | { readonly type: 'granted' };

export type KeypadFeedback = 'key_taken' | 'rule_armed' | 'dropped' | 'cleared' | 'forgotten' | 'locked_out';

export type KeyEntryEffect<Card, V extends PinCheckResult> =
  | {
      readonly type: 'present_pin';
      readonly destination: CredentialDestination;
      readonly pin: PinDigits;
      readonly result: V;
    }
  | { readonly type: 'present_card'; readonly destination: CredentialDestination; readonly card: Card }
  | { readonly type: 'deny'; readonly reason: 'no_input_rule'; readonly card: Card }
  | { readonly type: 'deny'; readonly reason: 'locked_out'; readonly for_ms: number }
  | { readonly type: 'feedback'; readonly kind: KeypadFeedback };

export interface KeyEntryStep<Card, V extends PinCheckResult> {
  readonly state: KeyEntryState;
  readonly effects: readonly KeyEntryEffect<Card, V>[];
}
