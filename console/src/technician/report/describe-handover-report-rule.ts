import type { HandoverReportResponse } from '@lintel/wire-protocol/technician/handover-report';
import type { GadgetAndActionNames } from '../../components/input-rules-editor/gadget-and-action-names.ts';
import { describeInputRule } from '../../components/input-rules-editor/describe-input-rule.ts';
import { otherControllerBadge } from '../../components/input-rules-editor/texts/en/input-rules-editor.ts';

/** `Code 1 followed by a PIN or card opens Garage (other controller)`. */
export const describeHandoverReportInputRule = (
  rule: HandoverReportResponse['rules'][number],
  names: GadgetAndActionNames,
): string =>
  // For an unknown gadget, its controller is unknown too.
  describeInputRule(rule, names) + (rule.is_own || rule.gadget_name === null ? '' : ` (${otherControllerBadge})`);
