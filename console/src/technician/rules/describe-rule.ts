import type { GadgetNames } from '../state/gadget-names.ts';
import * as ruleMessages from '../messages/english/rules.ts';
import type { DraftRule, Rule } from './rule.ts';

/** `opens Garage`. */
export const describeRuleAction = (
  { gadget_id, action_id }: Pick<DraftRule, 'gadget_id' | 'action_id'>,
  names: GadgetNames,
): string =>
  gadget_id === ''
    ? ruleMessages.incomplete
    : ruleMessages.action(
        action_id,
        names.action(gadget_id, action_id),
        names.gadget(gadget_id) ?? ruleMessages.unknownGadget,
      );

/** `Code 1 followed by a PIN or card opens Garage`. */
export const describeRule = (rule: DraftRule | Rule, names: GadgetNames): string =>
  ruleMessages.sentence(rule.code, describeRuleAction(rule, names));
