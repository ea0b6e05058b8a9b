import type { TechnicianReport } from '@lintel/wire-protocol/technician/report';
import { describe, expect, it } from 'vitest';
import { namesOf } from '../frame/names.ts';
import { reportedRule } from './report-rule.ts';

const names = namesOf([{ gadget_id: 'gad_1', name: 'Garage', actions: [] }]);
const rule = (changes: object) =>
  ({
    code: '1',
    gadget_id: 'gad_1',
    gadget_name: 'Garage',
    action_id: 'open',
    action_name: 'Open',
    ...changes,
  }) as TechnicianReport['rules'][number];

describe('reportedRule', () => {
  it('marks a rule for a gadget of another controller', () => {
    const own = 'Typing 1 and then a PIN or a card opens Garage';
    expect(reportedRule(rule({ is_own: true }), names)).toBe(own);
    expect(reportedRule(rule({ is_own: false }), names)).toBe(`${own}, at another controller`);
  });

  it('does not state the controller of an unknown gadget', () => {
    const gone = rule({ gadget_id: 'gad_2', gadget_name: null, is_own: false });
    expect(reportedRule(gone, names)).toBe('Typing 1 and then a PIN or a card opens a gadget that is not known here');
  });
});
