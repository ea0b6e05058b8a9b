import { describe, expect, it } from 'vitest';
import { parseInputRulesFile, formatInputRulesFile } from './rules-file.ts';
import type { SavedInputRule } from '../draft-input-rule.ts';

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
