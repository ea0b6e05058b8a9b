import { isSameInputRule, type SavedInputRule } from '../draft-input-rule.ts';

const without = (rules: readonly SavedInputRule[], removed: readonly SavedInputRule[]): readonly SavedInputRule[] =>
  rules.filter(rule => !removed.some(other => isSameInputRule(rule, other)));

/** Keeps both versions of a rule that both sides changed. The editor then shows the conflict. */
export const mergeInputRules = (
  before: readonly SavedInputRule[],
  yours: readonly SavedInputRule[],
  theirs: readonly SavedInputRule[],
): readonly SavedInputRule[] => {
  const removedByYou = without(before, yours);
  const addedByYou = without(without(yours, before), theirs);
  return [...without(theirs, removedByYou), ...addedByYou];
};
