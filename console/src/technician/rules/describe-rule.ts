import type { GadgetNameLookup } from '../state/gadget-names.ts';
import * as ruleMessages from '../messages/english/rules.ts';
import type { DraftRule, SavedRule } from './rule.ts';

/** `opens Garage`. */
export const describeRuleAction = (
  { gadget_id, action_id }: Pick<DraftRule, 'gadget_id' | 'action_id'>,
  names: GadgetNameLookup,
): string =>
  gadget_id === ''
    ? ruleMessages.noGadgetChosen
    : ruleMessages.actionPhrase(
        action_id,
        names.action(gadget_id, action_id),
        names.gadget(gadget_id) ?? ruleMessages.unknownGadgetName,
      );

/** `Code 1 followed by a PIN or card opens Garage`. */
export const describeRule = (rule: DraftRule | SavedRule, names: GadgetNameLookup): string =>
  ruleMessages.ruleSentence(rule.code, describeRuleAction(rule, names));
