import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInputRules } from './input-rules.ts';
import { suggestCode } from './input-rules-suggest.ts';

const accepted = (codes: readonly string[]): boolean =>
  parseInputRules(codes.map(code => ({ code, gadget_id: 'gad_1', action_id: 'open' }))).ok;

describe('a suggested code', () => {
  it('is the wanted one when that is free', () => {
    expect(suggestCode(['1', '2'], '34')).toBe('34');
    expect(suggestCode(['#1', '*'], '')).toBe('');
  });

  it('differs from a taken one in its last key', () => {
    expect(suggestCode(['101', '102'], '101')).toBe('103');
  });

  it('leaves the branch that a shorter code has taken', () => {
    expect(suggestCode(['10'], '101')).toBe('111');
  });

  it('puts * before the digits when there is a default rule', () => {
    expect(suggestCode(['', '#7'], '12')).toBe('*12');
    expect(suggestCode(['', '*'], '12')).toBe('#12');
  });

  it('does not use up a whole * or # for a second default rule', () => {
    expect(suggestCode([''], '')).toBe('*1');
  });

  it('can be typed even if the wanted one cannot', () => {
    expect(suggestCode([], 'door')).toBe('1');
    expect(suggestCode(['11'], 'door')).toBe('2');
    expect(suggestCode([], '1'.repeat(21))).toBe('1');
  });

  it('is null when the taken codes leave no room', () => {
    expect(suggestCode(Array.from('0123456789*#'), '12')).toBeNull();
    expect(suggestCode(['', '*', '#'], '12')).toBeNull();
  });

  it('finds the last free place, however deep', () => {
    const keys = Array.from('0123456789*#');
    const taken = [
      ...keys.slice(1),
      ...keys.slice(1).map(key => `0${key}`),
      ...keys.slice(0, -1).map(key => `00${key}`),
    ];
    expect(suggestCode(taken, '5')).toBe('00#');
  });

  it('can always stand beside the taken codes', () => {
    const code = fc.string({ unit: fc.constantFrom('1', '2', '0', '#', '*'), maxLength: 3 });
    fc.assert(
      fc.property(fc.array(code, { maxLength: 8 }), code, (list, wanted) => {
        const taken = list.reduce<string[]>((kept, next) => (accepted([...kept, next]) ? [...kept, next] : kept), []);
        const suggestion = suggestCode(taken, wanted);
        const isRightly = suggestion === null ? taken.includes('') : accepted([...taken, suggestion]);
        expect(isRightly).toBe(true);
        expect(suggestion === wanted).toBe(accepted([...taken, wanted]));
      }),
      { numRuns: 2_000 },
    );
  });
});
