import type { GadgetNames } from '../state/gadget-names.ts';
import * as testMessages from '../messages/english/hardware-tests.ts';

/** The title of a test id like `gadget:gad_1:open` or `reader:front`. */
export const testTitle = (id: string, names: GadgetNames): string => {
  const [kind = '', part = '', action = ''] = id.split(':');
  switch (kind) {
    case 'rule':
      return testMessages.rule(`${names.gadget(part) ?? part}, ${names.action(part, action)}`);
    case 'gadget':
      return `${names.gadget(part) ?? part}: ${names.action(part, action)}`;
    case 'output':
      return testMessages.output(part, null);
    case 'input':
      return testMessages.input(part, null);
    case 'keypad':
      return testMessages.keypad(part);
    case 'reader':
      return testMessages.reader(part);
    case 'feedback':
      return testMessages.feedback(part);
    case 'power':
      return testMessages.groups.power;
    default:
      return id;
  }
};
