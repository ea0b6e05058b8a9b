import type { InputRule } from '@lintel/access-core/input-rules';
import { type CompiledInputRules, compileInputRules } from '@lintel/access-core/input-rules-compiled';
import { keyEntry, nextDeadline } from '@lintel/access-core/key-entry';
import {
  defaultKeyEntryTimes,
  initialKeyEntry,
  type Key,
  type KeyEntryEffect,
  type KeyEntryState,
  type Keypad,
  type Verdict,
} from '@lintel/access-core/key-entry-model';
import { noWrongEntries } from '@lintel/access-core/lockout';
import { monotonic } from '@lintel/access-core/monotonic';
import type { RuleNotes } from './rule-notes.ts';
import { type DraftRule, plainRule } from './rule.ts';

/** What became of what was typed last. */
type Outcome = 'dropped' | 'cleared' | 'forgotten' | 'fired' | 'card' | 'card_without_rule' | null;

export interface Preview {
  readonly state: KeyEntryState;
  readonly outcome: Outcome;
  /** The rule that it went to when something was presented; null for the first gadget, or when nothing was. */
  readonly firedCode: string | null;
}

export const idlePreview: Preview = { state: initialKeyEntry(), outcome: null, firedCode: null };

/** Of the rules that nothing is wrong with: the others could not be typed. */
export const previewRules = (rules: readonly DraftRule[], notes: RuleNotes): CompiledInputRules =>
  compileInputRules(rules.filter((_, index) => !notes.has(index)).map(rule => plainRule(rule) as InputRule));

/** Knows no PIN, so that only `#` and twenty digits end an entry. */
const keypadOf = (rules: CompiledInputRules): Keypad<Verdict> => ({
  rules,
  times: defaultKeyEntryTimes,
  pins: { known: () => false, extended: () => false },
  judge: () => ({ granted: true }),
});

const outcomeOf = (effect: KeyEntryEffect<null, Verdict>): Outcome => {
  if (effect.type === 'present_pin') return 'fired';
  if (effect.type === 'present_card') return 'card';
  if (effect.type === 'deny') return 'card_without_rule';
  return effect.kind === 'dropped' || effect.kind === 'cleared' || effect.kind === 'forgotten' ? effect.kind : null;
};

const step = (
  rules: CompiledInputRules,
  { state }: Preview,
  input: Parameters<typeof keyEntry<null, Verdict>>[2],
  now: number,
): Preview => {
  const next = keyEntry<null, Verdict>(keypadOf(rules), state, input, monotonic(now));
  const last = next.effects.at(-1);
  const destination = last !== undefined && 'destination' in last ? last.destination : null;
  return {
    // Nobody is locked out of a drawing of a keypad.
    state: { entry: next.state.entry, lockout: noWrongEntries },
    outcome: last === undefined ? null : outcomeOf(last),
    firedCode: destination?.kind === 'rule' ? destination.rule.code : null,
  };
};

export const afterKey = (rules: CompiledInputRules, preview: Preview, key: Key, now: number): Preview =>
  step(rules, preview, { type: 'key', key }, now);

export const afterCard = (rules: CompiledInputRules, preview: Preview, now: number): Preview =>
  step(rules, preview, { type: 'card', card: null }, now);

export const afterPause = (rules: CompiledInputRules, preview: Preview, now: number): Preview => {
  const next = step(rules, preview, { type: 'timer' }, now);
  return next.outcome === null ? { ...preview, state: next.state } : next;
};

export const pauseUntil = ({ state }: Preview): number | null => nextDeadline(state);

/** The codes of the rules that can still come of it; of the armed one alone once it is armed. */
export const selectedCodes = (rules: CompiledInputRules, { state: { entry } }: Preview): readonly string[] => {
  if (entry.phase === 'armed') return entry.destination.kind === 'rule' ? [entry.destination.rule.code] : [];
  if (entry.phase === 'idle') return [];
  return rules.rules.filter(({ code }) => code.startsWith(entry.typed)).map(({ code }) => code);
};
