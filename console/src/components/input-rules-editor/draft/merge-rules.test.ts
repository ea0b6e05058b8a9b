import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeInputRules } from './merge-rules.ts';
import { isSameInputRule, areSameInputRules, type SavedInputRule } from '../draft-input-rule.ts';
import { parseInputRulesFile, formatInputRulesFile } from './rules-file.ts';

const rule = (code: string, gadget_id = 'gad_1'): SavedInputRule =>
  ({ code, gadget_id, action_id: 'open' }) as SavedInputRule;

describe('mergeInputRules', () => {
  it('applies the additions and removals of both sides', () => {
    const merged = mergeInputRules([rule('1'), rule('2')], [rule('1'), rule('7')], [rule('2'), rule('8'), rule('1')]);
    expect(merged).toEqual([rule('8'), rule('1'), rule('7')]);
  });

  it('keeps both versions of a rule that both sides changed', () => {
    expect(mergeInputRules([rule('1', 'gad_a')], [rule('1', 'gad_b')], [rule('1', 'gad_c')])).toEqual([
      rule('1', 'gad_c'),
      rule('1', 'gad_b'),
    ]);
  });

  it('loses no addition, and changes nothing for a side without changes', () => {
    const some = fc.uniqueArray(fc.integer({ min: 1, max: 9 })).map(codes => codes.map(code => rule(String(code))));
    fc.assert(
      fc.property(some, some, some, (before, yours, theirs) => {
        const merged = mergeInputRules(before, yours, theirs);
        const added = [...yours, ...theirs].filter(one => !before.some(other => isSameInputRule(one, other)));
        expect(added.every(one => merged.some(other => isSameInputRule(one, other)))).toBe(true);
        expect(areSameInputRules(mergeInputRules(before, before, theirs), theirs)).toBe(true);
        expect(areSameInputRules(mergeInputRules(before, yours, before), yours)).toBe(true);
      }),
    );
  });
});

const rules = [{ code: '1', gadget_id: 'gad_1', action_id: 'open' }] as unknown as readonly SavedInputRule[];

describe('rules file', () => {
  it('reads the rules that it wrote', () => {
    expect(parseInputRulesFile(formatInputRulesFile(rules))).toEqual({ ok: true, rules });
    expect(parseInputRulesFile(JSON.stringify(rules))).toEqual({ ok: true, rules });
  });

  it('accepts invalid codes, which the editor explains', () => {
    const odd = [...rules, { code: 'x', gadget_id: 'gad_9', action_id: 'open' }];
    expect(parseInputRulesFile(JSON.stringify(odd))).toEqual({ ok: true, rules: odd });
  });

  it('rejects any other content and names its path', () => {
    expect(parseInputRulesFile('{')).toEqual({ ok: false, reason: 'not_json' });
    for (const text of ['null', '7', '{}', '{"input_rules": {}}'])
      expect(parseInputRulesFile(text)).toEqual({ ok: false, reason: 'no_rules' });
    expect(parseInputRulesFile(JSON.stringify([...rules, null]))).toMatchObject({ path: 'input_rules.1.code' });
    expect(parseInputRulesFile('[{"code": 1}]')).toMatchObject({ reason: 'not_text', path: 'input_rules.0.code' });
  });
});
