import type { InputRuleDestination, SavedInputRule } from '../../../components/input-rules-editor/draft-input-rule.ts';

/** A gadget of this controller that the copied rules need, and the gadget of the target that takes its place. */
export interface GadgetReplacement {
  readonly gadget: InputRuleDestination;
  readonly target: InputRuleDestination | null;
  /** Actions of the rules that the target does not have. */
  readonly missingActions: readonly string[];
}

const haveSameName = (one: InputRuleDestination, other: InputRuleDestination): boolean =>
  one.name.trim().toLowerCase() === other.name.trim().toLowerCase();

const targetOf = (
  gadget: InputRuleDestination,
  targets: readonly InputRuleDestination[],
  choices: Readonly<Record<string, string>>,
): InputRuleDestination | null => {
  const choice = choices[gadget.gadget_id];
  if (choice !== undefined) return targets.find(({ gadget_id }) => gadget_id === choice) ?? null;
  const named = targets.filter(target => haveSameName(gadget, target));
  return named.length === 1 ? named[0]! : null;
};

/** Maps the gadgets of this controller by name. `choices` overrides that, from gadget id to gadget id. */
export const mapGadgetsToTargetController = (
  rules: readonly SavedInputRule[],
  destinations: readonly InputRuleDestination[],
  targetDeviceId: string,
  choices: Readonly<Record<string, string>>,
): readonly GadgetReplacement[] => {
  const targets = destinations.filter(({ device_id }) => device_id === targetDeviceId);
  return destinations
    .filter(({ is_own, gadget_id }) => is_own && rules.some(rule => rule.gadget_id === gadget_id))
    .map(gadget => {
      const target = targetOf(gadget, targets, choices);
      const actions = rules.filter(rule => rule.gadget_id === gadget.gadget_id).map(({ action_id }) => action_id);
      const missing = actions.filter(action => target !== null && !target.actions.some(({ id }) => id === action));
      return { gadget, target, missingActions: [...new Set(missing)] };
    });
};

/** Null while a gadget or an action has no counterpart. Rules for gadgets of other controllers stay as they are. */
export const mapInputRulesToTargetController = (
  rules: readonly SavedInputRule[],
  mappings: readonly GadgetReplacement[],
): readonly SavedInputRule[] | null => {
  if (mappings.some(({ target, missingActions }) => target === null || missingActions.length > 0)) return null;
  return rules.map(rule => {
    const target = mappings.find(({ gadget }) => gadget.gadget_id === rule.gadget_id)?.target;
    return target == null ? rule : { ...rule, gadget_id: target.gadget_id };
  });
};
