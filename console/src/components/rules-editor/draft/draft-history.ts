import { haveSameRules, type DraftRule } from '../rule.ts';

export interface DraftHistory {
  readonly past: readonly (readonly DraftRule[])[];
  readonly present: readonly DraftRule[];
  readonly future: readonly (readonly DraftRule[])[];
  /** The field that was edited last. Further edits of it belong to the same step. */
  readonly field: string | null;
}

const MAX_STEPS = 100;

export const createDraftHistory = (present: readonly DraftRule[]): DraftHistory => ({
  past: [],
  present,
  future: [],
  field: null,
});

/** `field` null starts a new step. */
export const addDraftEdit = (
  history: DraftHistory,
  present: readonly DraftRule[],
  field: string | null,
): DraftHistory => {
  if (haveSameRules(present, history.present)) return history;
  const isSameStep = field !== null && field === history.field;
  return {
    past: isSameStep ? history.past : [...history.past, history.present].slice(-MAX_STEPS),
    present,
    future: [],
    field,
  };
};

export const undoDraftEdit = ({ past, present, future }: DraftHistory): DraftHistory | null => {
  const before = past.at(-1);
  if (before === undefined) return null;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], field: null };
};

export const redoDraftEdit = ({ past, present, future }: DraftHistory): DraftHistory | null => {
  const [next, ...later] = future;
  return next === undefined ? null : { past: [...past, present], present: next, future: later, field: null };
};

export const nextDraftRuleKey = (rules: readonly DraftRule[]): number =>
  Math.max(0, ...rules.map(({ key }) => key)) + 1;
