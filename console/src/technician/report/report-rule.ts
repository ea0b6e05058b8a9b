import type { TechnicianReport } from '@lintel/wire-protocol/technician/report';
import type { Names } from '../frame/names.ts';
import { ruleSentence } from '../rules/rule-sentence.ts';
import { elsewhere } from '../words/english/rule-words.ts';

/** “Typing 1 and then a PIN or a card opens Garage, at another controller”. */
export const reportedRule = (rule: TechnicianReport['rules'][number], names: Names): string =>
  // Of a gadget that nobody here knows it is not known where it is either.
  ruleSentence(rule, names) + (rule.is_own || rule.gadget_name === null ? '' : `, ${elsewhere}`);
