import { isSameRule, type SavedRule } from '../rule.ts';

const without = (rules: readonly SavedRule[], removed: readonly SavedRule[]): readonly SavedRule[] =>
  rules.filter(rule => !removed.some(other => isSameRule(rule, other)));

/** Keeps both versions of a rule that both sides changed. The editor then shows the conflict. */
export const mergeRules = (
  before: readonly SavedRule[],
  yours: readonly SavedRule[],
  theirs: readonly SavedRule[],
): readonly SavedRule[] => {
  const removedByYou = without(before, yours);
  const addedByYou = without(without(yours, before), theirs);
  return [...without(theirs, removedByYou), ...addedByYou];
};
