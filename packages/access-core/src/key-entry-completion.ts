import {
  createInitialKeyEntryState,
  ignoreEnterAfter,
  type PendingKeyEntry,
  type KeypadFeedback,
  type KeyEntryEffect,
  type KeyEntryState,
  type KeyEntryStep,
  type KeypadEntryContext,
  type PinCheckResult,
} from './key-entry-types.ts';
import { countWrongPinEntry } from './lockout.ts';
import type { MonotonicTime } from './monotonic-time.ts';
import { toPinDigits, type PinDigits } from './pin-digits.ts';

export type PinEntryState = Extract<PendingKeyEntry, { phase: 'armed' }>;

export const createFeedbackEffect = (
  kind: KeypadFeedback,
): { readonly type: 'feedback'; readonly kind: KeypadFeedback } => ({
  type: 'feedback',
  kind,
});

export const getTypedPin = (entry: PendingKeyEntry): PinDigits | null =>
  entry.phase === 'armed' ? toPinDigits(entry.digits) : null;

/** A lockout discards the typed keys without counting another wrong entry. */
export const applyWrongPinEntry = <Card, V extends PinCheckResult>(
  keypad: KeypadEntryContext<V>,
  state: KeyEntryState,
  at: MonotonicTime,
): KeyEntryStep<Card, V> => {
  const { lockout, locked_ms } = countWrongPinEntry(keypad.times, state.lockout, at);
  if (locked_ms === 0) return { state: { ...state, lockout }, effects: [] };
  return {
    state: createInitialKeyEntryState(lockout),
    effects: [{ type: 'deny', reason: 'locked_out', for_ms: locked_ms }],
  };
};

/** Returns to idle without a grant: a wrong entry if the typed digits could have been a PIN. */
export const finishEntry = <Card, V extends PinCheckResult>(
  keypad: KeypadEntryContext<V>,
  { entry, lockout }: KeyEntryState,
  at: MonotonicTime,
  effects: readonly KeyEntryEffect<Card, V>[],
): KeyEntryStep<Card, V> => {
  const state = createInitialKeyEntryState(lockout);
  if (getTypedPin(entry) === null) return { state, effects };
  const counted = applyWrongPinEntry<Card, V>(keypad, state, at);
  return { state: counted.state, effects: [...effects, ...counted.effects] };
};

export const submitPin = <Card, V extends PinCheckResult>(
  keypad: KeypadEntryContext<V>,
  state: KeyEntryState,
  { destination }: PinEntryState,
  pin: PinDigits,
  at: MonotonicTime,
): KeyEntryStep<Card, V> => {
  const result = keypad.checkPin(destination, pin);
  const effects = [{ type: 'present_pin', destination, pin, result }] as const;
  if (result.granted) return { state: ignoreEnterAfter(createInitialKeyEntryState(state.lockout), at), effects };
  const finished = finishEntry<Card, V>(keypad, state, at, effects);
  return { ...finished, state: ignoreEnterAfter(finished.state, at) };
};
