import { describe, expect, it } from 'vitest';
import { createDeviceEntry } from '../testing/snapshot-entries.ts';
import { ActiveSnapshot } from './active-snapshot.ts';

const rule = { code: '5', gadget_id: 'gad_door', action_id: 'open' };

const rulesOf = (...input_rules: readonly object[]) => {
  const snapshot = new ActiveSnapshot();
  snapshot.put(createDeviceEntry(input_rules));
  return snapshot.rules;
};

describe('input rules of the active snapshot', () => {
  it('ignores a field of a newer bridge', () => {
    expect(rulesOf({ ...rule, only_after: '22:00' }).rules).toEqual([rule]);
  });

  it('disables all rules if two have the same code', () => {
    const { rules, fallback } = rulesOf(rule, rule, { ...rule, code: '' });
    expect([rules, fallback]).toEqual([[], null]);
  });
});
