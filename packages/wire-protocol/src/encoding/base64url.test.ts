import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fromBase64url, toBase64url } from './base64url.ts';
import * as fc from 'fast-check';
import { encodeLengthPrefixed } from './length-prefixed.ts';

const characters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= é');

describe('base64url', () => {
  it('encodes like Node and decodes its own encoding, for every length', () => {
    for (let length = 0; length <= 300; length++) {
      const bytes = Uint8Array.from(randomBytes(length));
      const text = toBase64url(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64url(text)).toEqual(bytes);
    }
  });

  it('accepts only the canonical encoding of some bytes', () => {
    const endings = characters.flatMap(first => ['', ...characters].map(second => `${first}${second}`));
    for (const encoded of endings.flatMap(ending => [ending, `AA${ending}`, `-${ending}`])) {
      const isCanonical = Buffer.from(encoded, 'base64url').toString('base64url') === encoded;
      expect([encoded, fromBase64url(encoded) !== null]).toEqual([encoded, isCanonical]);
    }
  });
});

const utf8 = new TextEncoder();

describe('encodeLengthPrefixed', () => {
  it('writes each part after its length', () => {
    expect(encodeLengthPrefixed(['é', Uint8Array.of(7), ''])).toEqual(
      Uint8Array.of(0, 0, 0, 2, 0xc3, 0xa9, 0, 0, 0, 1, 7, 0, 0, 0, 0),
    );
  });

  it('encodes a text as its UTF-8 bytes', () => {
    const part = fc.oneof(fc.uint8Array(), fc.string({ unit: 'grapheme' }), fc.constant('\ud800'));
    fc.assert(
      fc.property(fc.array(part), parts => {
        const bytes = parts.map(one => (typeof one === 'string' ? utf8.encode(one) : one));
        expect(encodeLengthPrefixed(parts)).toEqual(encodeLengthPrefixed(bytes));
      }),
    );
  });
});
