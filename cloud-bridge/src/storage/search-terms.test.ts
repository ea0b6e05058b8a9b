import { describe, expect, it } from 'vitest';
import { extractSearchTerms, extractMemberSearchTerms } from './search-terms.ts';
import { sqlFragment, joinSql, rawSql } from './sql-fragment.ts';

describe('extractSearchTerms', () => {
  it.each([
    ['Anna Müller', ['anna', 'muller']],
    ['  Zoë-Łukasz O’Brien ', ['zoe', 'lukasz', 'o', 'brien']],
    ['STRASSE straße', ['strasse']],
    ['İstanbul ﬁn Ａ１', ['istanbul', 'fin', 'a1']],
    ['Иван Ёлкин', ['иван', 'елкин']],
    ['山田 太郎', ['山田', '太郎']],
    ['a.b+c@example.org', ['a', 'b', 'c', 'example', 'org']],
    ['!?', []],
    ['', []],
  ])('splits %j', (text, terms) => {
    expect(extractSearchTerms(text)).toEqual(terms);
  });

  it('limits the length without cutting a character in two', () => {
    expect(extractSearchTerms('𝒳'.repeat(100))).toEqual(['x'.repeat(40)]);
    expect(extractSearchTerms('𠮷'.repeat(100))).toEqual(['𠮷'.repeat(40)]);
  });
});

describe('extractMemberSearchTerms', () => {
  it('takes name, emails and metadata values', () => {
    const member = { name: 'Ann Lee', metadata: '{"source":"pms","room":"12 B"}', emails: ['ann@hotel.test'] };
    expect(extractMemberSearchTerms(member)).toEqual(['ann', 'lee', 'hotel', 'test', 'pms', '12', 'b']);
  });
});

describe('sqlFragment', () => {
  it('keeps values out of the SQL text', () => {
    const query = sqlFragment`select ${rawSql('a')} from t where b = ${1} and c = ${"x'; drop"}`;
    expect(query.textFor('sqlite')).toBe('select a from t where b = ? and c = ?');
    expect(query.textFor('postgres')).toBe('select a from t where b = $1 and c = $2');
    expect(query.values).toEqual([1, "x'; drop"]);
  });

  it('numbers the values of nested fragments in the order of the text', () => {
    const inner = sqlFragment`(x > ${2} or y = ${3})`;
    const query = sqlFragment`a = ${1} and ${inner} and b = ${4}`;
    expect(query.textFor('postgres')).toBe('a = $1 and (x > $2 or y = $3) and b = $4');
    expect(query.values).toEqual([1, 2, 3, 4]);
  });
});

describe('joinSql', () => {
  it('puts the separator between fragments only', () => {
    const parts = [sqlFragment`a = ${1}`, rawSql('true'), sqlFragment`b = ${2}`];
    const joined = joinSql(parts, ' and ');
    expect([joined.textFor('postgres'), joined.values]).toEqual(['a = $1 and true and b = $2', [1, 2]]);
    expect(joinSql([], ', ').textFor('sqlite')).toBe('');
    expect(joinSql([parts[0]!], ', ').textFor('sqlite')).toBe('a = ?');
  });
});
