import { plural } from './plural.ts';

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

export const heading = 'Input rules';
export const intro = 'Type a code first to choose the door, then enter a PIN or present a card.';
export const sentence = (keys: string, action: string) =>
  keys === '' ? `A PIN or card alone ${action}` : `Code ${keys} followed by a PIN or card ${action}`;
/** Works for gadget names with and without an article. */
export const action = (actionId: string, actionName: string, gadget: string) =>
  verbs[actionId] === undefined ? `runs “${actionName}” on ${gadget}` : `${verbs[actionId]} ${gadget}`;
export const incomplete = 'has no gadget yet';
export const unknownGadget = 'an unknown gadget';
export const none = 'No rules';
export const noneMeans = (gadget: string | null) =>
  `A PIN or card runs the first action of ${gadget ?? 'the first gadget'}.`;
export const isDefault = 'default';
export const otherController = 'other controller';
export const unsaved = 'Not applied yet';
export const pending = 'Active here, not synced to the cloud yet';
export const pendingHint = 'The rules sync automatically when the controller is online.';
export const find = 'Find a rule';
export const count = (count: number) => plural(count, 'rule', 'rules');
export const add = 'Add a rule';
export const remove = 'Delete';
export const done = 'Done';
export const undo = 'Undo';
export const redo = 'Redo';
export const discard = 'Discard changes';
export const importFile = 'Import';
export const exportFile = 'Export';
export const code = 'Code before the PIN or card';
export const codeHint = 'Keys 0–9, * and #. Leave empty for the default rule, which needs no code.';
export const gadget = 'Opens';
export const choose = 'Choose…';
export const own = 'This controller';
export const others = 'Other controllers at this site';
export const actionLabel = 'Action';
export const suggestion = (code: string) => (code === '' ? 'Suggestion: no code.' : `Suggestion: ${code}.`);
export const use = (code: string) => (code === '' ? 'Use no code' : `Use ${code}`);
export const issues = {
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
export const fixFirst = (count: number) => `Fix ${plural(count, 'rule', 'rules')} first`;
export const apply = 'Apply';
export const applyHint = 'The rules take effect at once. They revert in 2 minutes unless you keep them.';
export const applying = 'Applying…';
export const onlyHere = 'only here';
export const file = {
  imported: (count: number) => `${plural(count, 'rule', 'rules')} imported. Apply them to make them active.`,
  not_json: 'This file contains no rules: it is not valid JSON. Choose a file that was exported here.',
  no_rules: 'This file contains no list of rules. Choose a file that was exported here.',
  too_large: 'This file is too large. A rules file has at most 256 kB.',
  not_text: (path: string) =>
    `This file is not valid: ${path} is missing or is not text. Correct the file and try again.`,
};
