import type { Names } from '../frame/names.ts';
import * as ruleWords from '../words/english/rule-words.ts';
import type { DraftRule, Rule } from './rule.ts';

/** “opens Garage”. */
export const deedOf = ({ gadget_id, action_id }: Pick<DraftRule, 'gadget_id' | 'action_id'>, names: Names): string =>
  gadget_id === ''
    ? ruleWords.nowhere
    : ruleWords.deed(action_id, names.action(gadget_id, action_id), names.gadget(gadget_id) ?? ruleWords.gone);

/** “Typing 1 and then a PIN or a card opens Garage”. */
export const ruleSentence = (rule: DraftRule | Rule, names: Names): string =>
  ruleWords.spoken(rule.code, deedOf(rule, names));
