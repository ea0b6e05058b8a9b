import type { CredentialDestination } from './input-rules-compiled.ts';
import {
  finishEntry,
  createFeedbackEffect,
  submitPin,
  getTypedPin,
  applyWrongPinEntry,
  type PinEntryState,
} from './key-entry-completion.ts';
import {
  createInitialKeyEntryState,
  ignoreEnterAfter,
  type PendingKeyEntry,
  type KeypadKey,
  type KeyEntryInput,
  type KeyEntryState,
  type KeyEntryStep,
  type KeypadEntryContext,
  type PinCheckResult,
} from './key-entry-types.ts';
import { computeRemainingLockoutMs } from './lockout.ts';
import { addMilliseconds, type MonotonicTime } from './monotonic-time.ts';
import { toPinDigits, PIN_MAX_LENGTH } from './pin-digits.ts';

/** When the owner must send the next `timer` input; null while idle. */
export const nextKeyEntryDeadline = ({ entry }: KeyEntryState): MonotonicTime | null => {
  if (entry.phase === 'idle') return null;
  return (entry.phase === 'armed' ? entry.pause_at : null) ?? entry.forget_at;
};

const awaitPin = (
  { times }: KeypadEntryContext<PinCheckResult>,
  destination: CredentialDestination,
  digits: string,
  at: MonotonicTime,
): PinEntryState => {
  const mayPause = toPinDigits(digits) !== null && times.known_pin_pause_ms <= times.forget_ms;
  return {
    phase: 'armed',
    destination,
    digits,
    pause_at: mayPause ? addMilliseconds(at, times.known_pin_pause_ms) : null,
    forget_at: addMilliseconds(at, times.forget_ms),
  };
};

const takeFirstKeys = <Card, V extends PinCheckResult>(
  keypad: KeypadEntryContext<V>,
  { entry, lockout }: KeyEntryState,
  key: KeypadKey,
  at: MonotonicTime,
): KeyEntryStep<Card, V> => {
  const { steps, fallback } = keypad.rules;
  const idle = createInitialKeyEntryState(lockout);
  const typed = entry.phase === 'code' ? entry.typed + key : key;
  const step = steps.get(typed);
  if (step?.kind === 'complete') {
    return {
      state: { ...idle, entry: awaitPin(keypad, step.destination, '', at) },
      effects: [createFeedbackEffect('rule_armed')],
    };
  }
  if (step?.kind === 'unfinished') {
    const code: PendingKeyEntry = { phase: 'code', typed, forget_at: addMilliseconds(at, keypad.times.forget_ms) };
    return { state: { ...idle, entry: code }, effects: [createFeedbackEffect('key_taken')] };
  }
  if (entry.phase === 'idle' && fallback !== null && key !== '*' && key !== '#') {
    return {
      state: { ...idle, entry: awaitPin(keypad, fallback, key, at) },
      effects: [createFeedbackEffect('key_taken')],
    };
  }
  return { state: idle, effects: [createFeedbackEffect('dropped')] };
};

const takeDigit = <Card, V extends PinCheckResult>(
  keypad: KeypadEntryContext<V>,
  state: KeyEntryState,
  entry: PinEntryState,
  digit: KeypadKey,
  at: MonotonicTime,
): KeyEntryStep<Card, V> => {
  const grown = awaitPin(keypad, entry.destination, entry.digits + digit, at);
  const next: KeyEntryState = { ...state, entry: grown };
  const pin = toPinDigits(grown.digits);
  const isComplete =
    pin !== null && (pin.length === PIN_MAX_LENGTH || (keypad.pins.known(pin) && !keypad.pins.extended(pin)));
  return isComplete
    ? submitPin(keypad, next, grown, pin, at)
    : { state: next, effects: [createFeedbackEffect('key_taken')] };
};

const isEnterAfterPin = ({ entry, ignore_enter_until }: KeyEntryState, key: KeypadKey, at: MonotonicTime): boolean =>
  key === '#' && entry.phase === 'idle' && ignore_enter_until !== null && at <= ignore_enter_until;

const takeKey = <Card, V extends PinCheckResult>(
  keypad: KeypadEntryContext<V>,
  state: KeyEntryState,
  key: KeypadKey,
  at: MonotonicTime,
): KeyEntryStep<Card, V> => {
  if (computeRemainingLockoutMs(state.lockout, at) > 0) {
    return { state: createInitialKeyEntryState(state.lockout), effects: [createFeedbackEffect('locked_out')] };
  }
  if (isEnterAfterPin(state, key, at)) return { state, effects: [] };
  if (state.entry.phase !== 'armed') return takeFirstKeys(keypad, state, key, at);
  if (key !== '*' && key !== '#') return takeDigit(keypad, state, state.entry, key, at);
  const pin = getTypedPin(state.entry);
  if (key === '#' && pin !== null) return submitPin(keypad, state, state.entry, pin, at);
  return finishEntry(keypad, state, at, [createFeedbackEffect('cleared')]);
};

const destinationOfCard = (
  { rules }: KeypadEntryContext<PinCheckResult>,
  entry: PendingKeyEntry,
): CredentialDestination | null => {
  if (entry.phase === 'armed') return entry.destination;
  return entry.phase === 'idle' ? rules.fallback : null;
};

const takeCard = <Card, V extends PinCheckResult>(
  keypad: KeypadEntryContext<V>,
  state: KeyEntryState,
  card: Card,
  at: MonotonicTime,
): KeyEntryStep<Card, V> => {
  const destination = destinationOfCard(keypad, state.entry);
  if (destination === null) return finishEntry(keypad, state, at, [{ type: 'deny', reason: 'no_input_rule', card }]);
  return finishEntry(keypad, state, at, [{ type: 'present_card', destination, card }]);
};

/** Applies the first deadline at its own time, so that a late owner does not change the result. */
const expire = <Card, V extends PinCheckResult>(
  keypad: KeypadEntryContext<V>,
  state: KeyEntryState,
): KeyEntryStep<Card, V> => {
  const { entry } = state;
  if (entry.phase === 'idle') return { state, effects: [] };
  const pin = getTypedPin(entry);
  if (entry.phase === 'code' || entry.pause_at === null || pin === null) {
    return finishEntry(keypad, state, entry.forget_at, [createFeedbackEffect('forgotten')]);
  }
  if (keypad.pins.known(pin)) return submitPin(keypad, state, entry, pin, entry.pause_at);
  return { state: { ...state, entry: { ...entry, pause_at: null } }, effects: [] };
};

const expireUntil = <Card, V extends PinCheckResult>(
  keypad: KeypadEntryContext<V>,
  state: KeyEntryState,
  now: MonotonicTime,
): KeyEntryStep<Card, V> => {
  let step: KeyEntryStep<Card, V> = { state, effects: [] };
  for (let due = nextKeyEntryDeadline(state); due !== null && due <= now; due = nextKeyEntryDeadline(step.state)) {
    const expired = expire<Card, V>(keypad, step.state);
    step = { state: expired.state, effects: [...step.effects, ...expired.effects] };
  }
  return step;
};

const take = <Card, V extends PinCheckResult>(
  keypad: KeypadEntryContext<V>,
  state: KeyEntryState,
  input: KeyEntryInput<Card>,
  now: MonotonicTime,
): KeyEntryStep<Card, V> => {
  switch (input.type) {
    case 'key':
      return takeKey(keypad, state, input.key, now);
    case 'card':
      return takeCard(keypad, state, input.card, now);
    case 'refused_elsewhere':
      return applyWrongPinEntry(keypad, state, now);
    case 'granted':
      return { state: ignoreEnterAfter(state, now), effects: [] };
    case 'timer':
      break;
  }
  return { state, effects: [] };
};

/** State machine for keys, taps and time at one keypad. Deadlines due at the time of an input are applied first. */
export const stepKeyEntry = <Card, V extends PinCheckResult>(
  keypad: KeypadEntryContext<V>,
  state: KeyEntryState,
  input: KeyEntryInput<Card>,
  now: MonotonicTime,
): KeyEntryStep<Card, V> => {
  const expired = expireUntil<Card, V>(keypad, state, now);
  const taken = take(keypad, expired.state, input, now);
  if (expired.effects.length === 0) return taken;
  return { state: taken.state, effects: [...expired.effects, ...taken.effects] };
};
