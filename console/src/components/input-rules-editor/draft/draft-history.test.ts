import { describe, expect, it } from 'vitest';
import {
  addInputRulesDraftEdit,
  createInputRulesDraftHistory,
  computeNextDraftInputRuleKey,
  redoInputRulesDraftEdit,
  undoInputRulesDraftEdit,
} from './draft-history.ts';
import type { DraftInputRule } from '../draft-input-rule.ts';

const rules = (...codes: readonly string[]): readonly DraftInputRule[] =>
  codes.map((code, index) => ({ key: index + 1, code, gadget_id: 'gad_1', action_id: 'open' }));

describe('draft history', () => {
  it('groups edits of one field into one step', () => {
    const began = createInputRulesDraftHistory(rules('1'));
    const typed = ['12', '123'].reduce(
      (history, code) => addInputRulesDraftEdit(history, rules(code), 'code 1'),
      began,
    );
    const elsewhere = addInputRulesDraftEdit(typed, rules('123', '5'), 'code 2');
    expect(undoInputRulesDraftEdit(elsewhere)?.present).toEqual(rules('123'));
    expect(undoInputRulesDraftEdit(undoInputRulesDraftEdit(elsewhere)!)?.present).toEqual(rules('1'));
    expect(undoInputRulesDraftEdit(undoInputRulesDraftEdit(undoInputRulesDraftEdit(elsewhere)!)!)).toBeNull();
  });

  it('redoes an undone edit until the next edit', () => {
    const history = addInputRulesDraftEdit(
      addInputRulesDraftEdit(createInputRulesDraftHistory(rules()), rules('1'), null),
      rules('1', '2'),
      null,
    );
    const back = undoInputRulesDraftEdit(history)!;
    expect(redoInputRulesDraftEdit(back)?.present).toEqual(rules('1', '2'));
    const other = addInputRulesDraftEdit(back, rules('9'), null);
    expect(redoInputRulesDraftEdit(other)).toBeNull();
    expect(undoInputRulesDraftEdit(other)?.present).toEqual(rules('1'));
  });

  it('ignores an edit without a change', () => {
    const history = createInputRulesDraftHistory(rules('1'));
    expect(addInputRulesDraftEdit(history, rules('1'), 'gadget 1')).toBe(history);
  });

  it('keeps one hundred steps', () => {
    let history = createInputRulesDraftHistory(rules('0'));
    for (let index = 1; index <= 150; index++) history = addInputRulesDraftEdit(history, rules(String(index)), null);
    expect(history.past).toHaveLength(100);
  });

  it('gives a new rule an unused key', () => {
    expect(computeNextDraftInputRuleKey([])).toBe(1);
    expect(computeNextDraftInputRuleKey(rules('1', '2'))).toBe(3);
  });
});
