import type { DemoDoorPlan } from './demo-controller-plan-types-and-part-names.ts';

export interface OpeningInputRule {
  readonly code: string;
  readonly gadget_id: string;
  readonly action_id: string;
}

/** The code to type for each door, by key. Without any rules, the keypad opens the first door. */
export const mapDoorsToOpeningCodes = (
  rules: readonly OpeningInputRule[],
  doors: readonly Pick<DemoDoorPlan, 'key' | 'gadgetId'>[],
): ReadonlyMap<string, string> => {
  const [first] = doors;
  if (rules.length === 0) return new Map(first === undefined ? [] : [[first.key, '']]);
  return new Map(
    doors.flatMap(({ key, gadgetId }) => {
      const rule = rules.find(({ gadget_id, action_id }) => gadget_id === gadgetId && action_id === 'open');
      return rule === undefined ? [] : [[key, rule.code] as const];
    }),
  );
};
