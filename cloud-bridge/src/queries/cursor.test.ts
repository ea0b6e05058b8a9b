import * as fc from 'fast-check';
import { parseListQuery } from '@lintel/wire-protocol/rest/list-query';
import { describe, expect, it } from 'vitest';
import { orThrow } from '../http/api-error.ts';
import { after, bindingOf, decodeCursor, encodeCursor, orderBy, type Position } from './cursor.ts';
import { sources } from './source.ts';

const query = (given: Record<string, string> = {}) => orThrow(parseListQuery('member', given));
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('encodeCursor', () => {
  it('round-trips every position', () => {
    const value = fc.oneof(fc.constant(null), fc.maxSafeInteger(), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(value, fc.string({ minLength: 1 }), (value, id) => {
        fc.pre(!id.includes('\0') && (typeof value !== 'string' || !value.includes('\0')));
        const position: Position = { value, id };
        const type = typeof value === 'string' ? 'text' : 'number';
        expect(decodeCursor('binding', encodeCursor('binding', position), type)).toEqual(position);
      }),
    );
  });
});

describe('decodeCursor', () => {
  it.each([
    ['text that is not JSON', 'abc'],
    ['an empty text', ''],
    ['another binding', encoded(['other', null, 'mem_1'])],
    ['too few parts', encoded(['binding', null])],
    ['too many parts', encoded(['binding', null, 'mem_1', 1])],
    ['an object', encoded({ 0: 'binding', 1: null, 2: 'mem_1', length: 3 })],
    ['an id that is not text', encoded(['binding', null, 5])],
    ['a fraction', encoded(['binding', 1.5, 'mem_1'])],
    ['a number beyond exact ones', encoded(['binding', 2 ** 53, 'mem_1'])],
    ['a boolean', encoded(['binding', true, 'mem_1'])],
    ['a list', encoded(['binding', [1], 'mem_1'])],
    ['NUL', encoded(['binding', 'a\0', 'mem_1'])],
    ['half a surrogate pair', encoded(['binding', null, '\ud800'])],
  ])('rejects %s', (_, cursor) => {
    for (const type of ['text', 'number', 'none'] as const) {
      expect(() => decodeCursor('binding', cursor, type)).toThrow(
        expect.objectContaining({ args: { field: 'cursor' } }),
      );
    }
  });
});

describe('bindingOf', () => {
  it('is the same for the same question, whatever the limit and the order of parameters', () => {
    const [first, second] = [
      query({ 'metadata.a': '1', 'metadata.b': '2', limit: '5' }),
      query({ 'metadata.b': '2', 'metadata.a': '1' }),
    ];
    expect(bindingOf('member', 'org_1', first)).toBe(bindingOf('member', 'org_1', second));
  });

  it('differs between endpoints, organizations, sorts and filters', () => {
    const bindings = [
      bindingOf('member', 'org_1', query()),
      bindingOf('card', 'org_1', query()),
      bindingOf('member', 'org_2', query()),
      bindingOf('member', 'org_1', query({ sort: 'name:asc' })),
      bindingOf('member', 'org_1', query({ sort: 'name:desc' })),
      bindingOf('member', 'org_1', query({ is_deleted: 'any' })),
      bindingOf('member', 'org_1', query({ 'metadata.a': '1' })),
    ];
    expect(new Set(bindings).size).toBe(bindings.length);
  });
});

describe('keyset conditions', () => {
  const source = sources.member;
  const text = (fragment: { textFor(engine: 'sqlite'): string }) => fragment.textFor('sqlite');

  it('compare the id alone when it is the sort field', () => {
    const sort = { field: 'id', direction: 'desc' } as const;
    expect(text(orderBy(source, sort, false))).toBe('t."id" desc');
    expect(text(after(source, sort, false, { value: null, id: 'a' }))).toBe('t.id < ?');
  });

  it('compare value and id together, so that equal values do not repeat or skip rows', () => {
    const sort = { field: 'name', direction: 'asc' } as const;
    expect(text(orderBy(source, sort, false))).toBe('t."name" asc, t.id asc');
    const condition = after(source, sort, false, { value: 'Ada', id: 'a' });
    expect([text(condition), condition.values]).toEqual(['(t."name", t.id) > (?, ?)', ['Ada', 'a']]);
  });

  it('sort nulls first, ascending, and last, descending', () => {
    expect(text(orderBy(source, { field: 'ends_at', direction: 'asc' }, true))).toContain('nulls first');
    expect(text(orderBy(source, { field: 'ends_at', direction: 'desc' }, true))).toContain('nulls last');
  });
});
