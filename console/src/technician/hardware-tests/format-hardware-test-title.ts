import type { GadgetAndActionNames } from '../../components/input-rules-editor/gadget-and-action-names.ts';
import * as testMessages from '../messages/english/hardware-tests.ts';

/** The title of a test id like `gadget:gad_1:open` or `reader:front`. */
export const formatHardwareTestTitle = (id: string, names: GadgetAndActionNames): string => {
  const [kind = '', part = '', action = ''] = id.split(':');
  switch (kind) {
    case 'rule':
      return testMessages.inputRuleTestTitle(`${names.gadget(part) ?? part}, ${names.action(part, action)}`);
    case 'gadget':
      return `${names.gadget(part) ?? part}: ${names.action(part, action)}`;
    case 'output':
      return testMessages.outputTestTitle(part, null);
    case 'input':
      return testMessages.inputTestTitle(part, null);
    case 'keypad':
      return testMessages.keypadTestTitle(part);
    case 'reader':
      return testMessages.readerTestTitle(part);
    case 'replace_reader':
      return testMessages.readerReplacementTitle(part);
    case 'feedback':
      return testMessages.feedbackTestTitle(part);
    case 'power':
      return testMessages.hardwareTestGroupNames.power;
    default:
      return id;
  }
};
