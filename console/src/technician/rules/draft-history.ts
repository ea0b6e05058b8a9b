import { areSameRules, type DraftRule } from './rule.ts';

export interface DraftHistory {
  readonly past: readonly (readonly DraftRule[])[];
  readonly present: readonly DraftRule[];
  readonly future: readonly (readonly DraftRule[])[];
  /** The field that was edited last: typing on in it is one step. */
  readonly field: string | null;
}

const MOST_STEPS = 100;

export const historyOf = (present: readonly DraftRule[]): DraftHistory => ({
  past: [],
  present,
  future: [],
  field: null,
});

/** `field` null: a step of its own. */
export const edited = (history: DraftHistory, present: readonly DraftRule[], field: string | null): DraftHistory => {
  if (areSameRules(present, history.present)) return history;
  const isSameStep = field !== null && field === history.field;
  return {
    past: isSameStep ? history.past : [...history.past, history.present].slice(-MOST_STEPS),
    present,
    future: [],
    field,
  };
};

export const undone = ({ past, present, future }: DraftHistory): DraftHistory | null => {
  const before = past.at(-1);
  if (before === undefined) return null;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], field: null };
};

export const redone = ({ past, present, future }: DraftHistory): DraftHistory | null => {
  const [next, ...later] = future;
  return next === undefined ? null : { past: [...past, present], present: next, future: later, field: null };
};

export const nextKey = (rules: readonly DraftRule[]): number => Math.max(0, ...rules.map(({ key }) => key)) + 1;
