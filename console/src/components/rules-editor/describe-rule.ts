import type { GadgetNameLookup } from './gadget-names.ts';
import * as english from './texts/rules.ts';
import type { RulesEditorTexts } from './texts/rules-editor-texts.ts';
import type { DraftRule, SavedRule } from './rule.ts';

/** `opens Garage`. */
export const describeRuleAction = (
  { gadget_id, action_id }: Pick<DraftRule, 'gadget_id' | 'action_id'>,
  names: GadgetNameLookup,
  texts: RulesEditorTexts['rules'] = english,
): string =>
  gadget_id === ''
    ? texts.noGadgetChosen
    : texts.actionPhrase(
        action_id,
        names.action(gadget_id, action_id),
        names.gadget(gadget_id) ?? texts.unknownGadgetName,
      );

/** `Code 1 followed by a PIN or card opens Garage`. */
export const describeRule = (
  rule: DraftRule | SavedRule,
  names: GadgetNameLookup,
  texts: RulesEditorTexts['rules'] = english,
): string => texts.ruleSentence(rule.code, describeRuleAction(rule, names, texts));
