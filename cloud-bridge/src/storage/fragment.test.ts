import { describe, expect, it } from 'vitest';
import { fragment, joinFragments, rawFragment } from './fragment.ts';

describe('fragment', () => {
  it('keeps values out of the text of either engine', () => {
    const query = fragment`select ${rawFragment('a')} from t where b = ${1} and c = ${"x'; drop"}`;
    expect(query.textFor('sqlite')).toBe('select a from t where b = ? and c = ?');
    expect(query.textFor('postgres')).toBe('select a from t where b = $1 and c = $2');
    expect(query.values).toEqual([1, "x'; drop"]);
  });

  it('numbers the values of nested fragments in the order of the text', () => {
    const inner = fragment`(x > ${2} or y = ${3})`;
    const query = fragment`a = ${1} and ${inner} and b = ${4}`;
    expect(query.textFor('postgres')).toBe('a = $1 and (x > $2 or y = $3) and b = $4');
    expect(query.values).toEqual([1, 2, 3, 4]);
  });
});

describe('joinFragments', () => {
  it('puts the separator between fragments only', () => {
    const parts = [fragment`a = ${1}`, rawFragment('true'), fragment`b = ${2}`];
    const joined = joinFragments(parts, ' and ');
    expect([joined.textFor('postgres'), joined.values]).toEqual(['a = $1 and true and b = $2', [1, 2]]);
    expect(joinFragments([], ', ').textFor('sqlite')).toBe('');
    expect(joinFragments([parts[0]!], ', ').textFor('sqlite')).toBe('a = ?');
  });
});
