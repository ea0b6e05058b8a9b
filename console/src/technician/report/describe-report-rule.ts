import type { TechnicianReport } from '@lintel/wire-protocol/technician/report';
import type { GadgetNames } from '../state/gadget-names.ts';
import { describeRule } from '../rules/describe-rule.ts';
import { otherController } from '../messages/english/rules.ts';

/** `Code 1 followed by a PIN or card opens Garage (other controller)`. */
export const describeReportRule = (rule: TechnicianReport['rules'][number], names: GadgetNames): string =>
  // For an unknown gadget, its controller is unknown too.
  describeRule(rule, names) + (rule.is_own || rule.gadget_name === null ? '' : ` (${otherController})`);
