import {
  initialKeyEntry,
  type Entry,
  type Feedback,
  type KeyEntryEffect,
  type KeyEntryState,
  type KeyEntryStep,
  type Keypad,
  type Verdict,
} from './key-entry-model.ts';
import { countWrongEntry } from './lockout.ts';
import type { Monotonic } from './monotonic.ts';
import { asPinDigits, type PinDigits } from './pin-digits.ts';

export type Armed = Extract<Entry, { phase: 'armed' }>;

export const feedback = (kind: Feedback): { readonly type: 'feedback'; readonly kind: Feedback } => ({
  type: 'feedback',
  kind,
});

export const typedPin = (entry: Entry): PinDigits | null =>
  entry.phase === 'armed' ? asPinDigits(entry.digits) : null;

/** A lockout drops what is typed, and by that alone nothing is counted. */
export const wrongEntry = <Card, V extends Verdict>(
  keypad: Keypad<V>,
  state: KeyEntryState,
  at: Monotonic,
): KeyEntryStep<Card, V> => {
  const { lockout, locked_ms } = countWrongEntry(keypad.times, state.lockout, at);
  if (locked_ms === 0) return { state: { entry: state.entry, lockout }, effects: [] };
  return { state: initialKeyEntry(lockout), effects: [{ type: 'deny', reason: 'locked_out', for_ms: locked_ms }] };
};

/** Back to idle other than by a grant: a wrong entry if what was typed could have been a PIN. */
export const end = <Card, V extends Verdict>(
  keypad: Keypad<V>,
  { entry, lockout }: KeyEntryState,
  at: Monotonic,
  effects: readonly KeyEntryEffect<Card, V>[],
): KeyEntryStep<Card, V> => {
  const state = initialKeyEntry(lockout);
  if (typedPin(entry) === null) return { state, effects };
  const counted = wrongEntry<Card, V>(keypad, state, at);
  return { state: counted.state, effects: [...effects, ...counted.effects] };
};

export const fire = <Card, V extends Verdict>(
  keypad: Keypad<V>,
  state: KeyEntryState,
  { destination }: Armed,
  pin: PinDigits,
  at: Monotonic,
): KeyEntryStep<Card, V> => {
  const verdict = keypad.checkPin(destination, pin);
  const effects = [{ type: 'present_pin', destination, pin, verdict }] as const;
  return verdict.granted ? { state: initialKeyEntry(state.lockout), effects } : end(keypad, state, at, effects);
};
