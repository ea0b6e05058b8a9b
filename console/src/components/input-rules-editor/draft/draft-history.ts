import { areSameInputRules, type DraftInputRule } from '../draft-input-rule.ts';

export interface InputRulesDraftHistory {
  readonly past: readonly (readonly DraftInputRule[])[];
  readonly present: readonly DraftInputRule[];
  readonly future: readonly (readonly DraftInputRule[])[];
  /** The field that was edited last. Further edits of it belong to the same step. */
  readonly field: string | null;
}

const MAX_STEPS = 100;

export const createInputRulesDraftHistory = (present: readonly DraftInputRule[]): InputRulesDraftHistory => ({
  past: [],
  present,
  future: [],
  field: null,
});

/** `field` null starts a new step. */
export const addInputRulesDraftEdit = (
  history: InputRulesDraftHistory,
  present: readonly DraftInputRule[],
  field: string | null,
): InputRulesDraftHistory => {
  if (areSameInputRules(present, history.present)) return history;
  const isSameStep = field !== null && field === history.field;
  return {
    past: isSameStep ? history.past : [...history.past, history.present].slice(-MAX_STEPS),
    present,
    future: [],
    field,
  };
};

export const undoInputRulesDraftEdit = ({
  past,
  present,
  future,
}: InputRulesDraftHistory): InputRulesDraftHistory | null => {
  const before = past.at(-1);
  if (before === undefined) return null;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], field: null };
};

export const redoInputRulesDraftEdit = ({
  past,
  present,
  future,
}: InputRulesDraftHistory): InputRulesDraftHistory | null => {
  const [next, ...later] = future;
  return next === undefined ? null : { past: [...past, present], present: next, future: later, field: null };
};

export const computeNextDraftInputRuleKey = (rules: readonly DraftInputRule[]): number =>
  Math.max(0, ...rules.map(({ key }) => key)) + 1;
