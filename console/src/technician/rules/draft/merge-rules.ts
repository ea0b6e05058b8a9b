import { areSameRule, type Rule } from '../rule.ts';

const without = (rules: readonly Rule[], removed: readonly Rule[]): readonly Rule[] =>
  rules.filter(rule => !removed.some(other => areSameRule(rule, other)));

/** Keeps both versions of a rule that both sides changed. The editor then shows the conflict. */
export const mergeRules = (
  before: readonly Rule[],
  yours: readonly Rule[],
  theirs: readonly Rule[],
): readonly Rule[] => {
  const removedByYou = without(before, yours);
  const addedByYou = without(without(yours, before), theirs);
  return [...without(theirs, removedByYou), ...addedByYou];
};
