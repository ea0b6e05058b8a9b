import { describe, expect, it } from 'vitest';
import { readRulesFile, rulesFileText } from './rules-file.ts';
import type { Rule } from './rule.ts';

const rules = [{ code: '1', gadget_id: 'gad_1', action_id: 'open' }] as unknown as readonly Rule[];

describe('rules file', () => {
  it('reads the rules that it wrote', () => {
    expect(readRulesFile(rulesFileText(rules))).toEqual({ ok: true, rules });
    expect(readRulesFile(JSON.stringify(rules))).toEqual({ ok: true, rules });
  });

  it('accepts invalid codes, which the editor explains', () => {
    const odd = [...rules, { code: 'x', gadget_id: 'gad_9', action_id: 'open' }];
    expect(readRulesFile(JSON.stringify(odd))).toEqual({ ok: true, rules: odd });
  });

  it('rejects any other content and names its place', () => {
    expect(readRulesFile('{')).toEqual({ ok: false, reason: 'not_json' });
    for (const text of ['null', '7', '{}', '{"input_rules": {}}'])
      expect(readRulesFile(text)).toEqual({ ok: false, reason: 'no_rules' });
    expect(readRulesFile(JSON.stringify([...rules, null]))).toMatchObject({ place: 'input_rules.1.code' });
    expect(readRulesFile('[{"code": 1}]')).toMatchObject({ reason: 'not_text', place: 'input_rules.0.code' });
  });
});
