import { expect, it } from 'vitest';
import { edited, historyOf, nextKey, redone, undone } from './draft-history.ts';
import type { DraftRule } from './rule.ts';

const rules = (...codes: readonly string[]): readonly DraftRule[] =>
  codes.map((code, index) => ({ key: index + 1, code, gadget_id: 'gad_1', action_id: 'open' }));

it('typing on in one field is one step, in another it is the next', () => {
  const began = historyOf(rules('1'));
  const typed = ['12', '123'].reduce((history, code) => edited(history, rules(code), 'code 1'), began);
  const elsewhere = edited(typed, rules('123', '5'), 'code 2');
  expect(undone(elsewhere)?.present).toEqual(rules('123'));
  expect(undone(undone(elsewhere)!)?.present).toEqual(rules('1'));
  expect(undone(undone(undone(elsewhere)!)!)).toBeNull();
});

it('what was undone can be done again until something else is done', () => {
  const history = edited(edited(historyOf(rules()), rules('1'), null), rules('1', '2'), null);
  const back = undone(history)!;
  expect(redone(back)?.present).toEqual(rules('1', '2'));
  const other = edited(back, rules('9'), null);
  expect(redone(other)).toBeNull();
  expect(undone(other)?.present).toEqual(rules('1'));
});

it('an edit that changes nothing is no step', () => {
  const history = historyOf(rules('1'));
  expect(edited(history, rules('1'), 'gadget 1')).toBe(history);
});

it('remembers a hundred steps', () => {
  let history = historyOf(rules('0'));
  for (let index = 1; index <= 150; index++) history = edited(history, rules(String(index)), null);
  expect(history.past).toHaveLength(100);
});

it('a new rule gets a key that none has', () => {
  expect(nextKey([])).toBe(1);
  expect(nextKey(rules('1', '2'))).toBe(3);
});
