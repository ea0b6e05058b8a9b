import type { GadgetAndActionNames } from './gadget-and-action-names.ts';
import * as english from './texts/en/input-rules-editor.ts';
import type { InputRulesEditorTexts } from './texts/input-rules-texts-provider.ts';
import type { DraftInputRule, SavedInputRule } from './draft-input-rule.ts';

/** `opens Garage`. */
export const describeInputRuleAction = (
  { gadget_id, action_id }: Pick<DraftInputRule, 'gadget_id' | 'action_id'>,
  names: GadgetAndActionNames,
  texts: InputRulesEditorTexts['rules'] = english,
): string =>
  gadget_id === ''
    ? texts.noGadgetChosenText
    : texts.inputRuleActionText(
        action_id,
        names.action(gadget_id, action_id),
        names.gadget(gadget_id) ?? texts.unknownGadgetNameText,
      );

/** `Code 1 followed by a PIN or card opens Garage`. */
export const describeInputRule = (
  rule: DraftInputRule | SavedInputRule,
  names: GadgetAndActionNames,
  texts: InputRulesEditorTexts['rules'] = english,
): string => texts.inputRuleSentenceText(rule.code, describeInputRuleAction(rule, names, texts));
