import { describe, expect, it } from 'vitest';
import { mergeMetadata, editMetadataAndTagsRequestSchema, editMetadataRequestSchema } from './metadata-and-tags.ts';
import { createGeneratedCredentialRequestSchema } from './shared-member-credential-fields.ts';
import { parseRequestBody } from './parse-request-body.ts';

const bytes = (count: number): Record<string, string> => ({ a: 'x'.repeat(count - '{"a":""}'.length) });

const refusedAsTooLarge = {
  ok: false,
  problems: [{ path: 'metadata', code: 'too_large', message: 'must be at most 1024 bytes of JSON' }],
};

describe('metadata', () => {
  it('accepts 1024 bytes of JSON and rejects one more', () => {
    expect(parseRequestBody(createGeneratedCredentialRequestSchema, { metadata: bytes(1024) }).ok).toBe(true);
    expect(parseRequestBody(createGeneratedCredentialRequestSchema, { metadata: bytes(1025) })).toEqual(
      refusedAsTooLarge,
    );
  });

  it('counts UTF-8 bytes', () => {
    expect(parseRequestBody(createGeneratedCredentialRequestSchema, { metadata: { a: 'ü'.repeat(508) } }).ok).toBe(
      true,
    );
    expect(parseRequestBody(createGeneratedCredentialRequestSchema, { metadata: { a: 'ü'.repeat(509) } }).ok).toBe(
      false,
    );
  });

  it.each([
    [{ metadata: { a: 1 } }, 'metadata.a'],
    [{ metadata: { a: { b: 'c' } } }, 'metadata.a'],
    [{ metadata: { a: null } }, 'metadata.a'],
    [{ metadata: [] }, 'metadata'],
    [{ metadata: 'x' }, 'metadata'],
    [{ metadata: { a: '\u0000' } }, 'metadata.a'],
    [{ metadata: { a: '\ud800' } }, 'metadata.a'],
  ])('rejects %j', (body, path) => {
    expect(parseRequestBody(createGeneratedCredentialRequestSchema, body)).toMatchObject({
      ok: false,
      problems: [{ path }],
    });
  });

  it('merges a patch and removes keys with null', () => {
    expect(mergeMetadata({ a: '1', b: '2' }, { b: null, c: '3', d: null })).toEqual({
      ok: true,
      value: { a: '1', c: '3' },
    });
  });

  it('treats names of built-in properties as ordinary keys', () => {
    const merged = mergeMetadata({}, { constructor: 'x', toString: 'y' });
    expect(merged).toEqual({ ok: true, value: { constructor: 'x', toString: 'y' } });
  });

  it('applies the limit to the result of a patch', () => {
    const current = { ...bytes(1000) };
    expect(mergeMetadata(current, { a: null, b: 'x'.repeat(1000) }).ok).toBe(true);
    expect(mergeMetadata(current, { b: 'x'.repeat(30) })).toEqual(refusedAsTooLarge);
  });

  it('rejects a body with more keys than could ever fit', () => {
    const keys = (count: number, value: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, value]));
    expect(parseRequestBody(editMetadataRequestSchema, { metadata: keys(200, null) }).ok).toBe(true);
    for (const value of [null, 'x', 7]) {
      expect(parseRequestBody(editMetadataRequestSchema, { metadata: keys(201, value) })).toEqual(refusedAsTooLarge);
      expect(parseRequestBody(createGeneratedCredentialRequestSchema, { metadata: keys(201, value) })).toEqual(
        refusedAsTooLarge,
      );
    }
  });

  it('names every invalid key as written', () => {
    const parsed = parseRequestBody(editMetadataRequestSchema, {
      metadata: { 'a..b': 1, '': 2, 7: 3, fine: 'x', gone: null },
    });
    expect(parsed.ok ? [] : parsed.problems.map(({ path }) => path)).toEqual([
      'metadata.7',
      'metadata.a..b',
      'metadata.',
    ]);
  });
});

describe('tag_ids', () => {
  it('contains each tag once', () => {
    expect(parseRequestBody(editMetadataAndTagsRequestSchema, { tag_ids: ['tag_b', 'tag_a', 'tag_b'] })).toEqual({
      ok: true,
      value: { tag_ids: ['tag_b', 'tag_a'] },
    });
    expect(parseRequestBody(editMetadataAndTagsRequestSchema, { tag_ids: ['tag_a', 'mem_1'] })).toMatchObject({
      problems: [{ path: 'tag_ids.1', code: 'invalid_id' }],
    });
  });
});

describe('editMetadataRequestSchema', () => {
  it('accepts metadata and nothing else', () => {
    expect(parseRequestBody(editMetadataRequestSchema, { metadata: { a: null } }).ok).toBe(true);
    expect(parseRequestBody(editMetadataRequestSchema, { email: 'b@example.test' })).toMatchObject({
      problems: [{ path: 'email', code: 'unknown_field' }],
    });
  });
});
