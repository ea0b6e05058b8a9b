import { parseInputRules } from '@lintel/access-core/input-rules';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  suggestReplacementInputRuleCode,
  suggestNewInputRuleCode,
  findInputRuleIssues,
} from './rule-issues-and-code-suggestions.ts';
import type { InputRuleDestination, DraftInputRule } from '../draft-input-rule.ts';

const destinations = [
  { gadget_id: 'gad_1', device_id: 'dev_1', name: 'Door', is_own: true, actions: [{ id: 'open', name: 'Open' }] },
] as unknown as readonly InputRuleDestination[];

const rulesOf = (codes: readonly string[]): readonly DraftInputRule[] =>
  codes.map((code, index) => ({ key: index + 1, code, gadget_id: 'gad_1', action_id: 'open' }));

const isAccepted = (codes: readonly string[]): boolean =>
  parseInputRules(codes.map(code => ({ code, gadget_id: 'gad_1', action_id: 'open' }))).ok;

const code = fc.string({ unit: fc.constantFrom('0', '1', '2', '#', '*', 'a'), maxLength: 4 });

describe('findInputRuleIssues', () => {
  it('reports an issue exactly when the controller would reject the draft', () => {
    fc.assert(
      fc.property(fc.array(code, { maxLength: 12 }), codes => {
        expect(findInputRuleIssues(rulesOf(codes), destinations).size === 0).toBe(isAccepted(codes));
      }),
      { numRuns: 1_000 },
    );
  });

  it('reports a conflict at both codes', () => {
    const issues = findInputRuleIssues(rulesOf(['1', '3', '12']), destinations);
    expect(issues.get(0)).toEqual([{ kind: 'conflict', relation: 'begins', other: 2 }]);
    expect(issues.get(1)).toBeUndefined();
    expect(issues.get(2)).toEqual([{ kind: 'conflict', relation: 'begun', other: 0 }]);
  });

  it('reports a default rule and the conflicting code that starts with a digit', () => {
    const issues = findInputRuleIssues(rulesOf(['', '7', '*1']), destinations);
    expect(issues.get(0)).toEqual([{ kind: 'default_beside_digits', other: 1 }]);
    expect(issues.get(1)).toEqual([{ kind: 'digit_beside_default', other: 0 }]);
    expect(issues.has(2)).toBe(false);
  });

  it('reports an unknown gadget and an unknown action', () => {
    const [rule] = rulesOf(['1']);
    expect(findInputRuleIssues([{ ...rule!, gadget_id: '' }], destinations).get(0)).toEqual([{ kind: 'no_gadget' }]);
    expect(findInputRuleIssues([{ ...rule!, action_id: 'fly' }], destinations).get(0)).toEqual([{ kind: 'no_action' }]);
  });
});

describe('suggestReplacementInputRuleCode', () => {
  it('suggests a code without a conflict, for any other codes', () => {
    fc.assert(
      fc.property(fc.array(code, { maxLength: 8 }), code, (list, wanted) => {
        const others = list.reduce<string[]>(
          (kept, next) => (isAccepted([...kept, next]) ? [...kept, next] : kept),
          [],
        );
        const instead = suggestReplacementInputRuleCode(rulesOf([...others, wanted]), others.length);
        if (instead !== null) expect(isAccepted([...others, instead])).toBe(true);
        if (isAccepted([...others, wanted])) expect(instead).toBe(wanted);
      }),
      { numRuns: 1_000 },
    );
  });

  it('suggests a code for a new rule', () => {
    expect(suggestNewInputRuleCode([])).toBe('');
    expect(suggestNewInputRuleCode(rulesOf(['']))).toBe('*1');
    expect(suggestNewInputRuleCode(rulesOf(['', '*1']))).toBe('*2');
    expect(suggestNewInputRuleCode(rulesOf(['1', '2']))).toBe('3');
  });
});
