/** Input rules of a controller, beside the texts of the editor. */
export const inputRulesMessages = {
  none: 'No rules. A PIN or card opens the first door.',
  noDoors: 'The site has no doors yet that a rule could open.',
  saveHint: 'Controllers receive the rules as soon as they are saved.',
  saved: 'The input rules are saved',
  copy: 'Copy to other controllers',
  copyConfirm: 'Copy',
  copyTo: 'Controllers',
  copyText:
    'The rules of the chosen controllers are replaced. Rules for a door of this controller open the door with the same name there.',
  copyAfterSave: 'Save or discard the changes first.',
  copied: (count: number) => `The rules are copied to ${count} ${count === 1 ? 'controller' : 'controllers'}`,
};
