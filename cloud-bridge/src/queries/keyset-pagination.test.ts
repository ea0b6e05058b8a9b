import * as fc from 'fast-check';
import { parseListQuery } from '@lintel/wire-protocol/rest/list-query';
import { describe, expect, it } from 'vitest';
import { unwrapOrThrow } from '../http/api-error.ts';
import {
  buildAfterCursorCondition,
  computeQueryFingerprint,
  decodeCursor,
  encodeCursor,
  buildOrderByClause,
  type CursorPosition,
} from './keyset-pagination.ts';
import { resourceTableMappings } from './resource-table-mappings.ts';

const query = (given: Record<string, string> = {}) => unwrapOrThrow(parseListQuery('member', given));
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('encodeCursor', () => {
  it('round-trips every position', () => {
    const value = fc.oneof(fc.constant(null), fc.maxSafeInteger(), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(value, fc.string({ minLength: 1 }), (value, id) => {
        fc.pre(!id.includes('\0') && (typeof value !== 'string' || !value.includes('\0')));
        const position: CursorPosition = { value, id };
        const type = typeof value === 'string' ? 'text' : 'number';
        expect(decodeCursor('fingerprint', encodeCursor('fingerprint', position), type)).toEqual(position);
      }),
    );
  });
});

describe('decodeCursor', () => {
  it.each([
    ['text that is not JSON', 'abc'],
    ['an empty text', ''],
    ['another fingerprint', encoded(['other', null, 'mem_1'])],
    ['too few parts', encoded(['fingerprint', null])],
    ['too many parts', encoded(['fingerprint', null, 'mem_1', 1])],
    ['an object', encoded({ 0: 'fingerprint', 1: null, 2: 'mem_1', length: 3 })],
    ['an id that is not text', encoded(['fingerprint', null, 5])],
    ['a fraction', encoded(['fingerprint', 1.5, 'mem_1'])],
    ['a number beyond exact ones', encoded(['fingerprint', 2 ** 53, 'mem_1'])],
    ['a boolean', encoded(['fingerprint', true, 'mem_1'])],
    ['a list', encoded(['fingerprint', [1], 'mem_1'])],
    ['NUL', encoded(['fingerprint', 'a\0', 'mem_1'])],
    ['half a surrogate pair', encoded(['fingerprint', null, '\ud800'])],
  ])('rejects %s', (_, cursor) => {
    for (const type of ['text', 'number', 'none'] as const) {
      expect(() => decodeCursor('fingerprint', cursor, type)).toThrow(
        expect.objectContaining({ args: { field: 'cursor' } }),
      );
    }
  });
});

describe('computeQueryFingerprint', () => {
  it('is independent of the limit and the order of parameters', () => {
    const [first, second] = [
      query({ 'metadata.a': '1', 'metadata.b': '2', limit: '5' }),
      query({ 'metadata.b': '2', 'metadata.a': '1' }),
    ];
    expect(computeQueryFingerprint('member', 'org_1', first)).toBe(computeQueryFingerprint('member', 'org_1', second));
  });

  it('differs between endpoints, organizations, sorts and filters', () => {
    const fingerprints = [
      computeQueryFingerprint('member', 'org_1', query()),
      computeQueryFingerprint('card', 'org_1', query()),
      computeQueryFingerprint('member', 'org_2', query()),
      computeQueryFingerprint('member', 'org_1', query({ sort: 'name:asc' })),
      computeQueryFingerprint('member', 'org_1', query({ sort: 'name:desc' })),
      computeQueryFingerprint('member', 'org_1', query({ is_deleted: 'any' })),
      computeQueryFingerprint('member', 'org_1', query({ 'metadata.a': '1' })),
    ];
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
  });
});

describe('keyset conditions', () => {
  const mapping = resourceTableMappings.member;
  const text = (fragment: { textFor(engine: 'sqlite'): string }) => fragment.textFor('sqlite');

  it('compare only the id when it is the sort field', () => {
    const sort = { field: 'id', direction: 'desc' } as const;
    expect(text(buildOrderByClause(mapping, sort, false))).toBe('t."id" desc');
    expect(text(buildAfterCursorCondition(mapping, sort, false, { value: null, id: 'a' }))).toBe('t.id < ?');
  });

  it('compare value and id together, so that equal values do not repeat or skip rows', () => {
    const sort = { field: 'name', direction: 'asc' } as const;
    expect(text(buildOrderByClause(mapping, sort, false))).toBe('t."name" asc, t.id asc');
    const condition = buildAfterCursorCondition(mapping, sort, false, { value: 'Ada', id: 'a' });
    expect([text(condition), condition.values]).toEqual(['(t."name", t.id) > (?, ?)', ['Ada', 'a']]);
  });

  it('sort nulls first, ascending, and last, descending', () => {
    expect(text(buildOrderByClause(mapping, { field: 'ends_at', direction: 'asc' }, true))).toContain('nulls first');
    expect(text(buildOrderByClause(mapping, { field: 'ends_at', direction: 'desc' }, true))).toContain('nulls last');
  });
});
