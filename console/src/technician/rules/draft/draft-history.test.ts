import { describe, expect, it } from 'vitest';
import { editHistory, createHistory, nextKey, redoEdit, undoEdit } from './draft-history.ts';
import type { DraftRule } from '../rule.ts';

const rules = (...codes: readonly string[]): readonly DraftRule[] =>
  codes.map((code, index) => ({ key: index + 1, code, gadget_id: 'gad_1', action_id: 'open' }));

describe('draft history', () => {
  it('groups edits of one field into one step', () => {
    const began = createHistory(rules('1'));
    const typed = ['12', '123'].reduce((history, code) => editHistory(history, rules(code), 'code 1'), began);
    const elsewhere = editHistory(typed, rules('123', '5'), 'code 2');
    expect(undoEdit(elsewhere)?.present).toEqual(rules('123'));
    expect(undoEdit(undoEdit(elsewhere)!)?.present).toEqual(rules('1'));
    expect(undoEdit(undoEdit(undoEdit(elsewhere)!)!)).toBeNull();
  });

  it('redoes an undone edit until the next edit', () => {
    const history = editHistory(editHistory(createHistory(rules()), rules('1'), null), rules('1', '2'), null);
    const back = undoEdit(history)!;
    expect(redoEdit(back)?.present).toEqual(rules('1', '2'));
    const other = editHistory(back, rules('9'), null);
    expect(redoEdit(other)).toBeNull();
    expect(undoEdit(other)?.present).toEqual(rules('1'));
  });

  it('ignores an edit without a change', () => {
    const history = createHistory(rules('1'));
    expect(editHistory(history, rules('1'), 'gadget 1')).toBe(history);
  });

  it('keeps one hundred steps', () => {
    let history = createHistory(rules('0'));
    for (let index = 1; index <= 150; index++) history = editHistory(history, rules(String(index)), null);
    expect(history.past).toHaveLength(100);
  });

  it('gives a new rule an unused key', () => {
    expect(nextKey([])).toBe(1);
    expect(nextKey(rules('1', '2'))).toBe(3);
  });
});
