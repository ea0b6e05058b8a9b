import { describe, expect, it } from 'vitest';
import { extractSearchTerms, extractMemberSearchTerms } from './search-terms.ts';

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
