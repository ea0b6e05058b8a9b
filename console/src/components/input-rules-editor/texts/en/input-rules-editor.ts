import { formatCount } from '../../../texts/format-count.ts';

const verbs: Readonly<Record<string, string>> = {
  open: 'opens',
  close: 'closes',
  lock: 'locks',
  unlock: 'unlocks',
  stop: 'stops',
  toggle: 'switches',
  on: 'switches on',
  off: 'switches off',
};

export const inputRulesHeading = 'Input rules';
export const inputRulesIntroText = 'Type a code first to choose the door, then enter a PIN or present a card.';
export const inputRuleSentenceText = (keys: string, action: string) =>
  keys === '' ? `A PIN or card alone ${action}` : `Code ${keys} followed by a PIN or card ${action}`;
/** Works for gadget names with and without an article. */
export const inputRuleActionText = (actionId: string, actionName: string, gadget: string) =>
  verbs[actionId] === undefined ? `runs “${actionName}” on ${gadget}` : `${verbs[actionId]} ${gadget}`;
export const noGadgetChosenText = 'has no gadget yet';
export const unknownGadgetNameText = 'an unknown gadget';
export const noInputRulesText = 'No rules';
export const noInputRulesHint = (gadget: string | null) =>
  `A PIN or card runs the first action of ${gadget ?? 'the first gadget'}.`;
export const defaultInputRuleBadge = 'default';
export const otherControllerBadge = 'other controller';
export const inputRulesNotAppliedText = 'Not applied yet';
export const inputRulesNotSyncedText = 'Active here, not synced to the cloud yet';
export const inputRulesNotSyncedHint = 'The rules sync automatically when the controller is online.';
export const searchInputRulesLabel = 'Find a rule';
export const inputRuleCountText = (count: number) => formatCount(count, 'rule', 'rules');
export const addInputRuleButton = 'Add a rule';
export const deleteInputRuleButton = 'Delete';
export const finishEditingButton = 'Done';
export const undoButton = 'Undo';
export const redoButton = 'Redo';
export const discardChangesButton = 'Discard changes';
export const importFileButton = 'Import';
export const exportFileButton = 'Export';
export const inputRuleCodeLabel = 'Code before the PIN or card';
export const inputRuleCodeHint = 'Keys 0–9, * and #. Leave empty for the default rule, which needs no code.';
export const inputRuleGadgetLabel = 'Opens';
export const chooseGadgetPlaceholder = 'Choose…';
export const ownGadgetsLabel = 'This controller';
export const otherGadgetsLabel = 'Other controllers at this site';
export const inputRuleActionLabel = 'Action';
export const suggestedCodeText = (code: string) => (code === '' ? 'Suggestion: no code.' : `Suggestion: ${code}.`);
export const selectSuggestedCodeButton = (code: string) => (code === '' ? 'Use no code' : `Use ${code}`);
export const inputRuleIssueTexts = {
  same: (code: string) => (code === '' ? 'There is already a default rule.' : `Code ${code} is already used.`),
  begins: (code: string, other: string) => `Code ${other} can never be reached, because it starts with ${code}.`,
  begun: (code: string, other: string) => `Code ${code} can never be reached, because it starts with ${other}.`,
  digit_beside_default: 'With a default rule, codes must start with * or #.',
  default_beside_digits: (other: string) => `With a default rule, codes must start with * or #. Change code ${other}.`,
  unreadable_code: 'Use only the keys 0–9, * and #.',
  too_long: 'Use at most 20 keys.',
  no_gadget: 'Choose a door or gadget.',
  no_action: 'Choose an action.',
};
export const codeTypedByHabitText = (code: string) =>
  `People press * before a PIN and # after it by habit. Then ${code} selects this door for the next person. Add a digit, such as ${code}1.`;
export const invalidInputRuleCountText = (count: number) => `Fix ${formatCount(count, 'rule', 'rules')} first`;
export const onlyInThisVersionText = 'only here';
export const importResultTexts = {
  imported: (count: number) => `${formatCount(count, 'rule', 'rules')} imported. Apply them to make them active.`,
  not_json: 'This file contains no rules: it is not valid JSON. Choose a file that was exported here.',
  no_rules: 'This file contains no list of rules. Choose a file that was exported here.',
  too_large: 'This file is too large. A rules file has at most 256 kB.',
  not_text: (path: string) =>
    `This file is not valid: ${path} is missing or is not text. Correct the file and try again.`,
};
