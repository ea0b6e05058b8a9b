import { describe, expect, it } from 'vitest';
import { edited, historyOf, nextKey, redone, undone } from './draft-history.ts';
import type { DraftRule } from './rule.ts';

const rules = (...codes: readonly string[]): readonly DraftRule[] =>
  codes.map((code, index) => ({ key: index + 1, code, gadget_id: 'gad_1', action_id: 'open' }));

describe('draft history', () => {
  it('groups edits of one field into one step', () => {
    const began = historyOf(rules('1'));
    const typed = ['12', '123'].reduce((history, code) => edited(history, rules(code), 'code 1'), began);
    const elsewhere = edited(typed, rules('123', '5'), 'code 2');
    expect(undone(elsewhere)?.present).toEqual(rules('123'));
    expect(undone(undone(elsewhere)!)?.present).toEqual(rules('1'));
    expect(undone(undone(undone(elsewhere)!)!)).toBeNull();
  });

  it('redoes an undone edit until the next edit', () => {
    const history = edited(edited(historyOf(rules()), rules('1'), null), rules('1', '2'), null);
    const back = undone(history)!;
    expect(redone(back)?.present).toEqual(rules('1', '2'));
    const other = edited(back, rules('9'), null);
    expect(redone(other)).toBeNull();
    expect(undone(other)?.present).toEqual(rules('1'));
  });

  it('ignores an edit without a change', () => {
    const history = historyOf(rules('1'));
    expect(edited(history, rules('1'), 'gadget 1')).toBe(history);
  });

  it('keeps one hundred steps', () => {
    let history = historyOf(rules('0'));
    for (let index = 1; index <= 150; index++) history = edited(history, rules(String(index)), null);
    expect(history.past).toHaveLength(100);
  });

  it('gives a new rule an unused key', () => {
    expect(nextKey([])).toBe(1);
    expect(nextKey(rules('1', '2'))).toBe(3);
  });
});
