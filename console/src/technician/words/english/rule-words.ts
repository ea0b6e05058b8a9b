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
export const intro = 'What is typed before the PIN or the card says what it opens.';
export const spoken = (keys: string, deed: string) =>
  keys === '' ? `A PIN or a card alone ${deed}` : `Typing ${keys} and then a PIN or a card ${deed}`;
/** Without knowing whether the gadget's name takes an article. */
export const deed = (actionId: string, actionName: string, gadget: string) =>
  verbs[actionId] === undefined ? `does “${actionName}” at ${gadget}` : `${verbs[actionId]} ${gadget}`;
export const nowhere = 'leads nowhere yet';
export const gone = 'a gadget that is not known here';
export const none = 'No rules';
export const noneMeans = (gadget: string | null) =>
  gadget === null
    ? 'A PIN or a card triggers the first action of the first gadget.'
    : `A PIN or a card does the first action of ${gadget}.`;
export const isDefault = 'default';
export const elsewhere = 'at another controller';
export const unsaved = 'Not applied yet';
export const pending = 'In force here, not yet in the cloud';
export const pendingHint = 'It goes there by itself when there is a line.';
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
export const codeHint = 'Keys 0–9, * and #. Empty: the default rule, with nothing typed before.';
export const gadget = 'Leads to';
export const chooseGadget = 'Choose…';
export const own = 'This controller';
export const others = 'Other controllers of the site';
export const action = 'Action';
export const would = (code: string) => (code === '' ? 'An empty one would work.' : `${code} would work.`);
export const use = (code: string) => (code === '' ? 'Leave it empty' : `Use ${code}`);
export const notes = {
  same: (code: string) => (code === '' ? 'There is a second default rule.' : `Another rule has the code ${code}, too.`),
  begins: (code: string, other: string) => `${code} is the beginning of ${other}: ${other} could never be typed.`,
  begun: (code: string, other: string) => `${code} begins with ${other}: it could never be typed to its end.`,
  digit_beside_default: 'Beside a default rule, a code has to start with * or #.',
  default_beside_digits: (other: string) =>
    `Beside a default rule, codes have to start with * or #; ${other} does not.`,
  unreadable_code: 'Only the keys 0–9, * and # can be typed.',
  too_long: 'At most 20 keys.',
  no_gadget: 'Choose where it leads.',
  no_action: 'Choose what it does.',
};
export const problems = (count: number) => `${plural(count, 'rule has', 'rules have')} to be mended first`;
export const apply = 'Apply';
export const applyHint = 'In force at once, for 2 minutes. It goes back by itself unless you keep it.';
export const applying = 'Applying…';
export const difference = { only: 'only here' };
export const file = {
  imported: (count: number) => `${plural(count, 'rule', 'rules')} read. Nothing is applied yet.`,
  not_json: 'This is not a file of rules: it is not JSON.',
  no_rules: 'This is not a file of rules: it has no list of rules in it.',
  too_large: 'This file is too large for rules.',
  not_text: (place: string) => `This is not a file of rules: ${place} is missing or no text.`,
};
