import type { HandoverReportResponse } from '@lintel/wire-protocol/technician/handover-report';
import { describe, expect, it } from 'vitest';
import { createGadgetAndActionNames } from '../../components/input-rules-editor/gadget-and-action-names.ts';
import { describeHandoverReportInputRule } from './describe-handover-report-rule.ts';

const names = createGadgetAndActionNames([{ gadget_id: 'gad_1', name: 'Garage', actions: [] }]);
const rule = (changes: object) =>
  ({
    code: '1',
    gadget_id: 'gad_1',
    gadget_name: 'Garage',
    action_id: 'open',
    action_name: 'Open',
    ...changes,
  }) as HandoverReportResponse['rules'][number];

describe('describeHandoverReportInputRule', () => {
  it('marks a rule for a gadget of another controller', () => {
    const own = 'Code 1 followed by a PIN or card opens Garage';
    expect(describeHandoverReportInputRule(rule({ is_own: true }), names)).toBe(own);
    expect(describeHandoverReportInputRule(rule({ is_own: false }), names)).toBe(`${own} (other controller)`);
  });

  it('does not state the controller of an unknown gadget', () => {
    const gone = rule({ gadget_id: 'gad_2', gadget_name: null, is_own: false });
    expect(describeHandoverReportInputRule(gone, names)).toBe(
      'Code 1 followed by a PIN or card opens an unknown gadget',
    );
  });
});
