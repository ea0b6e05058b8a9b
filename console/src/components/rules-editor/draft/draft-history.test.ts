import { describe, expect, it } from 'vitest';
import { addDraftEdit, createDraftHistory, nextDraftRuleKey, redoDraftEdit, undoDraftEdit } from './draft-history.ts';
import type { DraftRule } from '../rule.ts';

const rules = (...codes: readonly string[]): readonly DraftRule[] =>
  codes.map((code, index) => ({ key: index + 1, code, gadget_id: 'gad_1', action_id: 'open' }));

describe('draft history', () => {
  it('groups edits of one field into one step', () => {
    const began = createDraftHistory(rules('1'));
    const typed = ['12', '123'].reduce((history, code) => addDraftEdit(history, rules(code), 'code 1'), began);
    const elsewhere = addDraftEdit(typed, rules('123', '5'), 'code 2');
    expect(undoDraftEdit(elsewhere)?.present).toEqual(rules('123'));
    expect(undoDraftEdit(undoDraftEdit(elsewhere)!)?.present).toEqual(rules('1'));
    expect(undoDraftEdit(undoDraftEdit(undoDraftEdit(elsewhere)!)!)).toBeNull();
  });

  it('redoes an undone edit until the next edit', () => {
    const history = addDraftEdit(addDraftEdit(createDraftHistory(rules()), rules('1'), null), rules('1', '2'), null);
    const back = undoDraftEdit(history)!;
    expect(redoDraftEdit(back)?.present).toEqual(rules('1', '2'));
    const other = addDraftEdit(back, rules('9'), null);
    expect(redoDraftEdit(other)).toBeNull();
    expect(undoDraftEdit(other)?.present).toEqual(rules('1'));
  });

  it('ignores an edit without a change', () => {
    const history = createDraftHistory(rules('1'));
    expect(addDraftEdit(history, rules('1'), 'gadget 1')).toBe(history);
  });

  it('keeps one hundred steps', () => {
    let history = createDraftHistory(rules('0'));
    for (let index = 1; index <= 150; index++) history = addDraftEdit(history, rules(String(index)), null);
    expect(history.past).toHaveLength(100);
  });

  it('gives a new rule an unused key', () => {
    expect(nextDraftRuleKey([])).toBe(1);
    expect(nextDraftRuleKey(rules('1', '2'))).toBe(3);
  });
});
