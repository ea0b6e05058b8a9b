import { describe, expect, it } from 'vitest';
import type { InputRuleDestination, SavedInputRule } from '../../../components/input-rules-editor/draft-input-rule.ts';
import {
  mapGadgetsToTargetController,
  mapInputRulesToTargetController,
} from './map-input-rules-to-target-controller.ts';

const gadget = (gadget_id: string, device_id: string, name: string, ...actions: readonly string[]) =>
  ({
    gadget_id,
    device_id,
    name,
    is_own: device_id === 'dev_a',
    actions: actions.map(id => ({ id, name: id })),
  }) as InputRuleDestination;
const rule = (code: string, gadget_id: string, action_id = 'open') =>
  ({ code, gadget_id, action_id }) as SavedInputRule;

const destinations = [
  gadget('gad_a1', 'dev_a', 'Door', 'open', 'lock'),
  gadget('gad_a2', 'dev_a', 'Light', 'on'),
  gadget('gad_b1', 'dev_b', 'Light', 'on'),
  gadget('gad_b2', 'dev_b', 'door ', 'open'),
  gadget('gad_b3', 'dev_b', 'Lamp', 'on'),
];
const map = (rules: readonly SavedInputRule[], choices = {}) =>
  mapGadgetsToTargetController(rules, destinations, 'dev_b', choices);

describe('mapInputRulesToTargetController', () => {
  it('maps gadgets by name and not by order, and leaves gadgets of other controllers', () => {
    const rules = [rule('', 'gad_a1'), rule('*2', 'gad_a2', 'on'), rule('*3', 'gad_b3', 'on')];
    expect(mapInputRulesToTargetController(rules, map(rules))).toEqual([
      rule('', 'gad_b2'),
      rule('*2', 'gad_b1', 'on'),
      rule('*3', 'gad_b3', 'on'),
    ]);
  });

  it('uses the choice of the technician', () => {
    const rules = [rule('*2', 'gad_a2', 'on')];
    expect(mapInputRulesToTargetController(rules, map(rules, { gad_a2: 'gad_b3' }))).toEqual([
      rule('*2', 'gad_b3', 'on'),
    ]);
  });

  it('refuses a gadget without a counterpart and an action that the counterpart does not have', () => {
    const locks = [rule('', 'gad_a1', 'lock')];
    expect([mapInputRulesToTargetController(locks, map(locks)), map(locks)[0]?.missingActions]).toEqual([
      null,
      ['lock'],
    ]);
    const rules = [rule('', 'gad_a1')];
    expect(
      mapInputRulesToTargetController(rules, mapGadgetsToTargetController(rules, destinations, 'dev_c', {})),
    ).toBeNull();
    const twins = [...destinations, gadget('gad_b4', 'dev_b', 'Door', 'open')];
    expect(mapInputRulesToTargetController(rules, mapGadgetsToTargetController(rules, twins, 'dev_b', {}))).toBeNull();
  });
});
