import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeLengthPrefixed } from './length-prefixed.ts';

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
