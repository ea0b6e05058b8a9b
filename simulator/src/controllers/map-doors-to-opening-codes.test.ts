import { describe, expect, it } from 'vitest';
import { mapDoorsToOpeningCodes } from './map-doors-to-opening-codes.ts';

const doors = [
  { key: 'front', gadgetId: 'gad_1' },
  { key: 'garage', gadgetId: 'gad_2' },
];
const rule = (code: string, gadget_id: string, action_id = 'open') => ({ code, gadget_id, action_id });

describe('openingCodesOf', () => {
  it('has the code of the rule that opens each door', () => {
    const rules = [rule('#9', 'gad_2', 'hold'), rule('', 'gad_1'), rule('*5', 'gad_2'), rule('*6', 'gad_3')];
    expect(mapDoorsToOpeningCodes(rules, doors)).toEqual(
      new Map([
        ['front', ''],
        ['garage', '*5'],
      ]),
    );
  });

  it('has no code for a door without a rule', () => {
    expect([...mapDoorsToOpeningCodes([rule('*1', 'gad_2')], doors).keys()]).toEqual(['garage']);
  });

  it('opens the first door without any rules', () => {
    expect([...mapDoorsToOpeningCodes([], doors)]).toEqual([['front', '']]);
  });
});
