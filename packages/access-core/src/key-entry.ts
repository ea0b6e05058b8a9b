import type { Destination } from './input-rules-compiled.ts';
import { end, feedback, fire, typedPin, wrongEntry, type Armed } from './key-entry-endings.ts';
import {
  initialKeyEntry,
  type Entry,
  type Key,
  type KeyEntryInput,
  type KeyEntryState,
  type KeyEntryStep,
  type Keypad,
  type Verdict,
} from './key-entry-model.ts';
import { lockedFor } from './lockout.ts';
import { after, type Monotonic } from './monotonic.ts';
import { asPinDigits, PIN_MAX_LENGTH } from './pin-digits.ts';

/** When the owner has to send a `timer` input next; null when nothing is under way. */
export const nextDeadline = ({ entry }: KeyEntryState): Monotonic | null => {
  if (entry.phase === 'idle') return null;
  return (entry.phase === 'armed' ? entry.pause_at : null) ?? entry.forget_at;
};

const arm = ({ times }: Keypad<Verdict>, destination: Destination, digits: string, at: Monotonic): Armed => {
  const mayPause = asPinDigits(digits) !== null && times.known_pin_pause_ms <= times.forget_ms;
  return {
    phase: 'armed',
    destination,
    digits,
    pause_at: mayPause ? after(at, times.known_pin_pause_ms) : null,
    forget_at: after(at, times.forget_ms),
  };
};

const takeFirstKeys = <Card, V extends Verdict>(
  keypad: Keypad<V>,
  { entry, lockout }: KeyEntryState,
  key: Key,
  at: Monotonic,
): KeyEntryStep<Card, V> => {
  const { steps, fallback } = keypad.rules;
  const typed = entry.phase === 'code' ? entry.typed + key : key;
  const step = steps.get(typed);
  if (step?.kind === 'complete') {
    return { state: { entry: arm(keypad, step.destination, '', at), lockout }, effects: [feedback('rule_armed')] };
  }
  if (step?.kind === 'unfinished') {
    const code: Entry = { phase: 'code', typed, forget_at: after(at, keypad.times.forget_ms) };
    return { state: { entry: code, lockout }, effects: [feedback('key_taken')] };
  }
  if (entry.phase === 'idle' && fallback !== null && key !== '*' && key !== '#') {
    return { state: { entry: arm(keypad, fallback, key, at), lockout }, effects: [feedback('key_taken')] };
  }
  return { state: initialKeyEntry(lockout), effects: [feedback('dropped')] };
};

const takeDigit = <Card, V extends Verdict>(
  keypad: Keypad<V>,
  state: KeyEntryState,
  entry: Armed,
  digit: Key,
  at: Monotonic,
): KeyEntryStep<Card, V> => {
  const grown = arm(keypad, entry.destination, entry.digits + digit, at);
  const next: KeyEntryState = { entry: grown, lockout: state.lockout };
  const pin = asPinDigits(grown.digits);
  const isComplete =
    pin !== null && (pin.length === PIN_MAX_LENGTH || (keypad.pins.known(pin) && !keypad.pins.extended(pin)));
  return isComplete ? fire(keypad, next, grown, pin, at) : { state: next, effects: [feedback('key_taken')] };
};

const takeKey = <Card, V extends Verdict>(
  keypad: Keypad<V>,
  state: KeyEntryState,
  key: Key,
  at: Monotonic,
): KeyEntryStep<Card, V> => {
  if (lockedFor(state.lockout, at) > 0) {
    return { state: initialKeyEntry(state.lockout), effects: [feedback('locked_out')] };
  }
  if (state.entry.phase !== 'armed') return takeFirstKeys(keypad, state, key, at);
  if (key !== '*' && key !== '#') return takeDigit(keypad, state, state.entry, key, at);
  const pin = typedPin(state.entry);
  if (key === '#' && pin !== null) return fire(keypad, state, state.entry, pin, at);
  return end(keypad, state, at, [feedback('cleared')]);
};

const destinationOfCard = ({ rules }: Keypad<Verdict>, entry: Entry): Destination | null => {
  if (entry.phase === 'armed') return entry.destination;
  return entry.phase === 'idle' ? rules.fallback : null;
};

const takeCard = <Card, V extends Verdict>(
  keypad: Keypad<V>,
  state: KeyEntryState,
  card: Card,
  at: Monotonic,
): KeyEntryStep<Card, V> => {
  const destination = destinationOfCard(keypad, state.entry);
  if (destination === null) return end(keypad, state, at, [{ type: 'deny', reason: 'no_input_rule', card }]);
  return end(keypad, state, at, [{ type: 'present_card', destination, card }]);
};

/** The first deadline, at its own time: an owner that is late changes nothing in what happened. */
const expire = <Card, V extends Verdict>(keypad: Keypad<V>, state: KeyEntryState): KeyEntryStep<Card, V> => {
  const { entry } = state;
  if (entry.phase === 'idle') return { state, effects: [] };
  const pin = typedPin(entry);
  if (entry.phase === 'code' || entry.pause_at === null || pin === null) {
    return end(keypad, state, entry.forget_at, [feedback('forgotten')]);
  }
  if (keypad.pins.known(pin)) return fire(keypad, state, entry, pin, entry.pause_at);
  return { state: { ...state, entry: { ...entry, pause_at: null } }, effects: [] };
};

const expireUntil = <Card, V extends Verdict>(
  keypad: Keypad<V>,
  state: KeyEntryState,
  now: Monotonic,
): KeyEntryStep<Card, V> => {
  let step: KeyEntryStep<Card, V> = { state, effects: [] };
  for (let due = nextDeadline(state); due !== null && due <= now; due = nextDeadline(step.state)) {
    const expired = expire<Card, V>(keypad, step.state);
    step = { state: expired.state, effects: [...step.effects, ...expired.effects] };
  }
  return step;
};

const take = <Card, V extends Verdict>(
  keypad: Keypad<V>,
  state: KeyEntryState,
  input: KeyEntryInput<Card>,
  now: Monotonic,
): KeyEntryStep<Card, V> => {
  switch (input.type) {
    case 'key':
      return takeKey(keypad, state, input.key, now);
    case 'card':
      return takeCard(keypad, state, input.card, now);
    case 'refused_elsewhere':
      return wrongEntry(keypad, state, now);
    case 'timer':
      break;
  }
  return { state, effects: [] };
};

/** What keys, taps and time do at one keypad. A deadline due at the input's millisecond comes before the input. */
export const keyEntry = <Card, V extends Verdict>(
  keypad: Keypad<V>,
  state: KeyEntryState,
  input: KeyEntryInput<Card>,
  now: Monotonic,
): KeyEntryStep<Card, V> => {
  const expired = expireUntil<Card, V>(keypad, state, now);
  const taken = take(keypad, expired.state, input, now);
  if (expired.effects.length === 0) return taken;
  return { state: taken.state, effects: [...expired.effects, ...taken.effects] };
};
