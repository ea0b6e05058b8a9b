import { describe, expect, it } from 'vitest';
import { createGadgetAndActionNames } from './gadget-and-action-names.ts';
import { describeInputRule } from './describe-input-rule.ts';

const names = createGadgetAndActionNames([
  {
    gadget_id: 'gad_1',
    name: 'Garage',
    actions: [
      { id: 'open', name: 'Open' },
      { id: 'vent', name: 'Vent' },
    ],
  },
]);
const rule = { key: 1, code: '1', gadget_id: 'gad_1', action_id: 'open' };

describe('describeInputRule', () => {
  it('describes a rule in a sentence', () => {
    expect(describeInputRule(rule, names)).toBe('Code 1 followed by a PIN or card opens Garage');
    expect(describeInputRule({ ...rule, code: '' }, names)).toBe('A PIN or card alone opens Garage');
    expect(describeInputRule({ ...rule, action_id: 'vent' }, names)).toContain('runs “Vent” on Garage');
    expect(describeInputRule({ ...rule, gadget_id: 'gad_9' }, names)).toContain('an unknown gadget');
    expect(describeInputRule({ ...rule, gadget_id: '', action_id: '' }, names)).toContain('has no gadget yet');
  });
});
