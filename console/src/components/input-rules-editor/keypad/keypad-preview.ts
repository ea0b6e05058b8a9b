import type { InputRule } from '@lintel/access-core/input-rules';
import { type CompiledInputRules, compileInputRules } from '@lintel/access-core/input-rules-compiled';
import { stepKeyEntry, nextKeyEntryDeadline } from '@lintel/access-core/key-entry';
import {
  defaultKeyEntryTimes,
  createInitialKeyEntryState,
  type KeypadKey,
  type KeyEntryEffect,
  type KeyEntryState,
  type KeypadEntryContext,
  type PinCheckResult,
} from '@lintel/access-core/key-entry-types';
import { initialLockoutState } from '@lintel/access-core/lockout';
import { monotonic } from '@lintel/access-core/monotonic-time';
import type { InputRuleIssues } from '../editor/rule-issues-and-code-suggestions.ts';
import { type DraftInputRule, toSavedInputRule } from '../draft-input-rule.ts';

/** The result of the last entry. */
type Outcome = 'dropped' | 'cleared' | 'forgotten' | 'pin' | 'card' | 'card_without_rule' | null;

export interface KeypadPreviewState {
  readonly state: KeyEntryState;
  readonly outcome: Outcome;
  /** The code of the rule that a PIN or card was presented for; null for the first gadget or without one. */
  readonly presentedCode: string | null;
}

export const idleKeypadPreview: KeypadPreviewState = {
  state: createInitialKeyEntryState(),
  outcome: null,
  presentedCode: null,
};

/** Compiles the rules without issues. */
export const compileInputRulesForPreview = (
  rules: readonly DraftInputRule[],
  issues: InputRuleIssues,
): CompiledInputRules =>
  compileInputRules(rules.filter((_, index) => !issues.has(index)).map(rule => toSavedInputRule(rule) as InputRule));

/** Knows no PINs: an entry ends with `#` or after twenty digits. */
const keypadOf = (rules: CompiledInputRules): KeypadEntryContext<PinCheckResult> => ({
  rules,
  times: defaultKeyEntryTimes,
  pins: { known: () => false, extended: () => false },
  checkPin: () => ({ granted: true }),
});

const outcomeOf = (effect: KeyEntryEffect<null, PinCheckResult>): Outcome => {
  if (effect.type === 'present_pin') return 'pin';
  if (effect.type === 'present_card') return 'card';
  if (effect.type === 'deny') return 'card_without_rule';
  return effect.kind === 'dropped' || effect.kind === 'cleared' || effect.kind === 'forgotten' ? effect.kind : null;
};

const step = (
  rules: CompiledInputRules,
  { state }: KeypadPreviewState,
  input: Parameters<typeof stepKeyEntry<null, PinCheckResult>>[2],
  now: number,
): KeypadPreviewState => {
  const next = stepKeyEntry<null, PinCheckResult>(keypadOf(rules), state, input, monotonic(now));
  const last = next.effects.at(-1);
  const destination = last !== undefined && 'destination' in last ? last.destination : null;
  return {
    // The preview has no lockout.
    state: { ...next.state, lockout: initialLockoutState },
    outcome: last === undefined ? null : outcomeOf(last),
    presentedCode: destination?.kind === 'rule' ? destination.rule.code : null,
  };
};

export const pressPreviewKey = (
  rules: CompiledInputRules,
  preview: KeypadPreviewState,
  key: KeypadKey,
  now: number,
): KeypadPreviewState => step(rules, preview, { type: 'key', key }, now);

export const presentPreviewCard = (
  rules: CompiledInputRules,
  preview: KeypadPreviewState,
  now: number,
): KeypadPreviewState => step(rules, preview, { type: 'card', card: null }, now);

export const expirePreviewEntry = (
  rules: CompiledInputRules,
  preview: KeypadPreviewState,
  now: number,
): KeypadPreviewState => {
  const next = step(rules, preview, { type: 'timer' }, now);
  return next.outcome === null ? { ...preview, state: next.state } : next;
};

export const computePreviewEntryDeadline = ({ state }: KeypadPreviewState): number | null =>
  nextKeyEntryDeadline(state);

/** The codes that match the entry so far. */
export const listMatchingInputRuleCodes = (
  rules: CompiledInputRules,
  { state: { entry } }: KeypadPreviewState,
): readonly string[] => {
  if (entry.phase === 'armed') return entry.destination.kind === 'rule' ? [entry.destination.rule.code] : [];
  if (entry.phase === 'idle') return [];
  return rules.rules.filter(({ code }) => code.startsWith(entry.typed)).map(({ code }) => code);
};
