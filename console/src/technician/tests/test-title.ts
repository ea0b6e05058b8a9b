import type { Names } from '../frame/names.ts';
import * as testWords from '../words/english/test-words.ts';

/** What a test in the report is called, from its id: `gadget:gad_1:open`, `reader:front`. */
export const testTitle = (id: string, names: Names): string => {
  const [kind = '', part = '', action = ''] = id.split(':');
  switch (kind) {
    case 'rule':
      return testWords.rule(`${names.gadget(part) ?? part}, ${names.action(part, action)}`);
    case 'gadget':
      return `${names.gadget(part) ?? part}: ${names.action(part, action)}`;
    case 'output':
      return testWords.output(part, null);
    case 'input':
      return testWords.input(part, null);
    case 'keypad':
      return testWords.keypad(part);
    case 'reader':
      return testWords.reader(part);
    case 'feedback':
      return testWords.feedback(part);
    case 'power':
      return testWords.groups.power;
    default:
      return id;
  }
};
