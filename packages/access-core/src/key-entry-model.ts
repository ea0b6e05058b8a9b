import type { CompiledInputRules, Destination } from './input-rules-compiled.ts';
import { defaultLockoutTimes, noWrongEntries, type Lockout, type LockoutTimes } from './lockout.ts';
import type { Monotonic } from './monotonic.ts';
import type { PinDigits } from './pin-digits.ts';

export type Key = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '*' | '#';

export interface KeyEntryTimes extends LockoutTimes {
  /** A known PIN that is the beginning of a longer one fires after this time without a key. */
  readonly known_pin_pause_ms: number;
  /** An unfinished entry is forgotten after this time without a key. */
  readonly forget_ms: number;
}

export const defaultKeyEntryTimes: KeyEntryTimes = {
  ...defaultLockoutTimes,
  known_pin_pause_ms: 3_000,
  forget_ms: 10_000,
};

/** The PINs of the controller's slice, whatever their validity now. Asked with 4 to 20 digits only. */
export interface KnownPins {
  known(pin: PinDigits): boolean;
  /** Whether another known PIN begins with these digits and goes on. */
  extended(pin: PinDigits): boolean;
}

export interface Verdict {
  readonly granted: boolean;
}

/**
 * What key entry has to know of its keypad. `checkPin` only decides, it opens nothing: whether a PIN is granted says
 * whether it was a wrong entry, and that must be settled before the next key is taken.
 */
export interface Keypad<V extends Verdict> {
  readonly rules: CompiledInputRules;
  readonly times: KeyEntryTimes;
  readonly pins: KnownPins;
  checkPin(destination: Destination, pin: PinDigits): V;
}

export type Entry =
  | { readonly phase: 'idle' }
  | { readonly phase: 'code'; readonly typed: string; readonly forget_at: Monotonic }
  | {
      readonly phase: 'armed';
      readonly destination: Destination;
      readonly digits: string;
      /** Null when there is nothing to fire, or it was looked at already. */
      readonly pause_at: Monotonic | null;
      readonly forget_at: Monotonic;
    };

/** `lockout` is the same object until a wrong entry changes it, so that its owner can tell when to save it. */
export interface KeyEntryState {
  readonly entry: Entry;
  readonly lockout: Lockout;
}

export const initialKeyEntry = (lockout: Lockout = noWrongEntries): KeyEntryState => ({
  entry: { phase: 'idle' },
  lockout,
});

export type KeyEntryInput<Card> =
  | { readonly type: 'key'; readonly key: Key }
  | { readonly type: 'card'; readonly card: Card }
  /** Nothing but the passing of time: the owner sends it when `nextDeadline` is due. */
  | { readonly type: 'timer' }
  /** The controller that owns the gadget refused a PIN that was granted here: a wrong entry after all. */
  | { readonly type: 'refused_elsewhere' };

export type Feedback = 'key_taken' | 'rule_armed' | 'dropped' | 'cleared' | 'forgotten' | 'locked_out';

export type KeyEntryEffect<Card, V extends Verdict> =
  | { readonly type: 'present_pin'; readonly destination: Destination; readonly pin: PinDigits; readonly verdict: V }
  | { readonly type: 'present_card'; readonly destination: Destination; readonly card: Card }
  | { readonly type: 'deny'; readonly reason: 'no_input_rule'; readonly card: Card }
  | { readonly type: 'deny'; readonly reason: 'locked_out'; readonly for_ms: number }
  | { readonly type: 'feedback'; readonly kind: Feedback };

export interface KeyEntryStep<Card, V extends Verdict> {
  readonly state: KeyEntryState;
  readonly effects: readonly KeyEntryEffect<Card, V>[];
}
