import { areSameRule, type Rule } from './rule.ts';

const without = (rules: readonly Rule[], some: readonly Rule[]): readonly Rule[] =>
  rules.filter(rule => !some.some(other => areSameRule(rule, other)));

/**
 * Both sides' changes to what both had before. Where the two do not fit one another, both stay: the editor shows codes
 * that meet, and a person decides.
 */
export const mergedRules = (
  before: readonly Rule[],
  yours: readonly Rule[],
  theirs: readonly Rule[],
): readonly Rule[] => {
  const removedByYou = without(before, yours);
  const addedByYou = without(without(yours, before), theirs);
  return [...without(theirs, removedByYou), ...addedByYou];
};
