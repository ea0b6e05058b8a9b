import { expect, test } from 'vitest';
import { mergeMetadata, metadataAndTagsEdit, metadataEdit } from './metadata.ts';
import { bareCredentialCreate } from './member-credential.ts';
import { parseRequest } from './request.ts';

const bytes = (count: number): Record<string, string> => ({ a: 'x'.repeat(count - '{"a":""}'.length) });

const refusedAsTooLarge = {
  ok: false,
  problems: [{ path: 'metadata', code: 'too_large', message: 'must be at most 1024 bytes of JSON' }],
};

test('1024 bytes of JSON are taken, one more is not', () => {
  expect(parseRequest(bareCredentialCreate, { metadata: bytes(1024) }).ok).toBe(true);
  expect(parseRequest(bareCredentialCreate, { metadata: bytes(1025) })).toEqual(refusedAsTooLarge);
});

test('bytes are those of UTF-8', () => {
  expect(parseRequest(bareCredentialCreate, { metadata: { a: 'ü'.repeat(508) } }).ok).toBe(true);
  expect(parseRequest(bareCredentialCreate, { metadata: { a: 'ü'.repeat(509) } }).ok).toBe(false);
});

test.each([
  [{ metadata: { a: 1 } }, 'metadata.a'],
  [{ metadata: { a: { b: 'c' } } }, 'metadata.a'],
  [{ metadata: { a: null } }, 'metadata.a'],
  [{ metadata: [] }, 'metadata'],
  [{ metadata: null }, 'metadata'],
  [{ metadata: 'x' }, 'metadata'],
  [{ metadata: { a: '\u0000' } }, 'metadata.a'],
  [{ metadata: { a: '\ud800' } }, 'metadata.a'],
])('%j is refused', (body, path) => {
  expect(parseRequest(bareCredentialCreate, body)).toMatchObject({ ok: false, problems: [{ path }] });
});

test('a patch merges, and null removes a key', () => {
  expect(mergeMetadata({ a: '1', b: '2' }, { b: null, c: '3', d: null })).toEqual({
    ok: true,
    value: { a: '1', c: '3' },
  });
});

test('keys of every object are keys like others', () => {
  const merged = mergeMetadata({}, { constructor: 'x', toString: 'y' });
  expect(merged).toEqual({ ok: true, value: { constructor: 'x', toString: 'y' } });
});

test('the limit is that of the result: a large patch that removes as much is taken', () => {
  const current = { ...bytes(1000) };
  expect(mergeMetadata(current, { a: null, b: 'x'.repeat(1000) }).ok).toBe(true);
  expect(mergeMetadata(current, { b: 'x'.repeat(30) })).toEqual(refusedAsTooLarge);
});

test('more keys than ever fit are refused as a whole, whatever they hold', () => {
  const keys = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, value]));
  expect(parseRequest(metadataEdit, { metadata: keys(200, null) }).ok).toBe(true);
  for (const value of [null, 'x', 7]) {
    expect(parseRequest(metadataEdit, { metadata: keys(201, value) })).toEqual(refusedAsTooLarge);
    expect(parseRequest(bareCredentialCreate, { metadata: keys(201, value) })).toEqual(refusedAsTooLarge);
  }
});

test('every wrong key is named as it is written', () => {
  const parsed = parseRequest(metadataEdit, { metadata: { 'a..b': 1, '': 2, 7: 3, fine: 'x', gone: null } });
  expect(parsed.ok ? [] : parsed.problems.map(({ path }) => path)).toEqual([
    'metadata.7',
    'metadata.a..b',
    'metadata.',
  ]);
});

test('tags are taken once each', () => {
  expect(parseRequest(metadataAndTagsEdit, { tag_ids: ['tag_b', 'tag_a', 'tag_b'] })).toEqual({
    ok: true,
    value: { tag_ids: ['tag_b', 'tag_a'] },
  });
  expect(parseRequest(metadataAndTagsEdit, { tag_ids: ['tag_a', 'mem_1'] })).toMatchObject({
    problems: [{ path: 'tag_ids.1', code: 'invalid_id' }],
  });
});

test('a credential is edited in its metadata alone', () => {
  expect(parseRequest(metadataEdit, { metadata: { a: null } }).ok).toBe(true);
  expect(parseRequest(metadataEdit, { email: 'b@example.test' })).toMatchObject({
    problems: [{ path: 'email', code: 'unknown_field' }],
  });
});
