import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInputRules } from './input-rules.ts';
import { suggestInputRuleCode } from './suggest-input-rule-code.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

const accepted = (codes: readonly string[]): boolean =>
  parseInputRules(codes.map(code => ({ code, gadget_id: 'gad_1', action_id: 'open' }))).ok;

describe('suggestInputRuleCode', () => {
  it('returns the requested code if it is free', () => {
    expect(suggestInputRuleCode(['1', '2'], '34')).toBe('34');
    expect(suggestInputRuleCode(['#1', '*'], '')).toBe('');
  });

  it('changes the last key of a code that is in use', () => {
    expect(suggestInputRuleCode(['101', '102'], '101')).toBe('103');
  });

  it('avoids all codes that begin with a shorter code in use', () => {
    expect(suggestInputRuleCode(['10'], '101')).toBe('111');
  });

  it('prefixes digits with * when there is a default rule', () => {
    expect(suggestInputRuleCode(['', '#7'], '12')).toBe('*12');
    expect(suggestInputRuleCode(['', '*'], '12')).toBe('#12');
  });

  it('does not use up all codes that begin with * or # for a second default rule', () => {
    expect(suggestInputRuleCode([''], '')).toBe('*1');
  });

  it('returns a code that can be typed even if the requested one cannot', () => {
    expect(suggestInputRuleCode([], 'door')).toBe('1');
    expect(suggestInputRuleCode(['11'], 'door')).toBe('2');
    expect(suggestInputRuleCode([], '1'.repeat(21))).toBe('1');
  });

  it('returns null when the codes in use leave no room', () => {
    expect(suggestInputRuleCode(Array.from('0123456789*#'), '12')).toBeNull();
    expect(suggestInputRuleCode(['', '*', '#'], '12')).toBeNull();
  });

  it('finds the last free code, however long', () => {
    const keys = Array.from('0123456789*#');
    const taken = [
      ...keys.slice(1),
      ...keys.slice(1).map(key => `0${key}`),
      ...keys.slice(0, -1).map(key => `00${key}`),
    ];
    expect(suggestInputRuleCode(taken, '5')).toBe('00#');
  });

  it('never conflicts with the codes in use', () => {
    const code = fc.string({ unit: fc.constantFrom('1', '2', '0', '#', '*'), maxLength: 3 });
    fc.assert(
      fc.property(fc.array(code, { maxLength: 8 }), code, (list, wanted) => {
        const taken = list.reduce<string[]>((kept, next) => (accepted([...kept, next]) ? [...kept, next] : kept), []);
        const suggestion = suggestInputRuleCode(taken, wanted);
        const isRightly = suggestion === null ? taken.includes('') : accepted([...taken, suggestion]);
        expect(isRightly).toBe(true);
        expect(suggestion === wanted).toBe(accepted([...taken, wanted]));
      }),
      { numRuns: iterations({ sample: 200, all: 2_000 }) },
    );
  });
});
