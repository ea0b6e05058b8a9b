import type { TechnicianReport } from '@lintel/wire-protocol/technician/report';
import type { GadgetNameLookup } from '../../components/rules-editor/gadget-names.ts';
import { describeInputRule } from '../../components/rules-editor/describe-rule.ts';
import { otherControllerBadge } from '../../components/rules-editor/texts/rules.ts';

/** `Code 1 followed by a PIN or card opens Garage (other controller)`. */
export const describeReportInputRule = (rule: TechnicianReport['rules'][number], names: GadgetNameLookup): string =>
  // For an unknown gadget, its controller is unknown too.
  describeInputRule(rule, names) + (rule.is_own || rule.gadget_name === null ? '' : ` (${otherControllerBadge})`);
