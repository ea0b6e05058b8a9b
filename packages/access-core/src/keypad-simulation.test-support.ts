import type { GadgetId } from './ids.ts';
import { compileInputRules } from './input-rules-compiled.ts';
import { stepKeyEntry, nextKeyEntryDeadline } from './key-entry.ts';
import {
  defaultKeyEntryTimes,
  createInitialKeyEntryState,
  type KeypadKey,
  type KeyEntryInput,
  type KeypadEntryContext,
  type PinCheckResult,
} from './key-entry-types.ts';
import { computeRemainingLockoutMs } from './lockout.ts';
import { monotonic } from './monotonic-time.ts';

interface KeypadSetup {
  readonly codes?: readonly string[];
  readonly known?: readonly string[];
  /** Known but not granted, for example because the membership has ended. */
  readonly refused?: readonly string[];
}

export const createKeypadContext = ({
  codes = [],
  known = [],
  refused = [],
}: KeypadSetup): KeypadEntryContext<PinCheckResult> => {
  const pins = [...known, ...refused];
  return {
    rules: compileInputRules(codes.map(code => ({ code, gadget_id: 'gad_1' as GadgetId, action_id: `do${code}` }))),
    times: defaultKeyEntryTimes,
    pins: {
      known: pin => pins.includes(pin),
      extended: pin => pins.some(other => other !== pin && other.startsWith(pin)),
    },
    checkPin: (_destination, pin) => ({ granted: known.includes(pin) }),
  };
};

/** Drives a keypad and collects its effects as short texts. */
export const simulateKeypad = (door: KeypadSetup) => {
  const keypad = createKeypadContext(door);
  let state = createInitialKeyEntryState();
  let now = 1_000;
  let seen: string[] = [];
  const put = (input: KeyEntryInput<string>): void => {
    const step = stepKeyEntry(keypad, state, input, monotonic(now));
    state = step.state;
    for (const effect of step.effects) {
      if (effect.type === 'feedback') seen.push(effect.kind);
      else if (effect.type === 'deny')
        seen.push(effect.reason === 'locked_out' ? `locked ${effect.for_ms}` : 'no rule');
      else {
        const where = effect.destination.kind === 'rule' ? effect.destination.rule.action_id : 'first gadget';
        const what = effect.type === 'present_card' ? effect.card : `${effect.pin} ${effect.result.granted}`;
        seen.push(`${where}: ${what}`);
      }
    }
  };
  const self = {
    keys(text: string) {
      for (const key of text) put({ type: 'key', key: key as KeypadKey });
      return self;
    },
    tap(card: string) {
      put({ type: 'card', card });
      return self;
    },
    granted() {
      put({ type: 'granted' });
      return self;
    },
    refusedElsewhere() {
      put({ type: 'refused_elsewhere' });
      return self;
    },
    /** Advances the clock without running a timer. */
    advance(milliseconds: number) {
      now += milliseconds;
      return self;
    },
    timer() {
      put({ type: 'timer' });
      return self;
    },
    wrongEntries(count: number) {
      for (let entry = 0; entry < count; entry += 1) self.keys('9999*');
      return self;
    },
    /** The effects since the last call, without key clicks. */
    takeEffects(): string[] {
      const visible = seen.filter(what => what !== 'key_taken');
      seen = [];
      return visible;
    },
    phase: () => state.entry.phase,
    wrong: () => state.lockout.wrong_entries,
    lockedFor: () => computeRemainingLockoutMs(state.lockout, monotonic(now)),
    deadline: () => nextKeyEntryDeadline(state),
    pendingEffects: () => seen,
  };
  return self;
};
