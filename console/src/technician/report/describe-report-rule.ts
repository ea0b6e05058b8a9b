import type { TechnicianReport } from '@lintel/wire-protocol/technician/report';
import type { GadgetNameLookup } from '../state/gadget-names.ts';
import { describeRule } from '../rules/describe-rule.ts';
import { otherControllerBadge } from '../messages/english/rules.ts';

/** `Code 1 followed by a PIN or card opens Garage (other controller)`. */
export const describeReportRule = (rule: TechnicianReport['rules'][number], names: GadgetNameLookup): string =>
  // For an unknown gadget, its controller is unknown too.
  describeRule(rule, names) + (rule.is_own || rule.gadget_name === null ? '' : ` (${otherControllerBadge})`);
