import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fromBase64url, toBase64url } from './base64url.ts';

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
