import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLAIM_CODE_RANDOM_BYTES, formatClaimCode, normalizeClaimCode } from './claim-code.ts';

const randomness = fc.uint8Array({ minLength: CLAIM_CODE_RANDOM_BYTES, maxLength: CLAIM_CODE_RANDOM_BYTES });

describe('claim code', () => {
  it('has twelve characters in three groups, without ambiguous letters', () => {
    expect(formatClaimCode(new Uint8Array(CLAIM_CODE_RANDOM_BYTES))).toBe('0000-0000-0000');
    expect(formatClaimCode(new Uint8Array(CLAIM_CODE_RANDOM_BYTES).fill(0xff))).toBe('ZZZZ-ZZZZ-ZZZZ');
    fc.assert(
      fc.property(randomness, bytes => {
        expect(formatClaimCode(bytes)).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
      }),
    );
  });

  it('differs in each of its 60 bits', () => {
    const zero = formatClaimCode(new Uint8Array(CLAIM_CODE_RANDOM_BYTES));
    const codes = Array.from({ length: 60 }, (_, bit) => {
      const bytes = new Uint8Array(CLAIM_CODE_RANDOM_BYTES);
      bytes[CLAIM_CODE_RANDOM_BYTES - 1 - (bit >> 3)] = 1 << (bit & 7);
      return formatClaimCode(bytes);
    });
    expect(new Set([zero, ...codes]).size).toBe(61);
  });

  it('is the same in every way of typing', () => {
    fc.assert(
      fc.property(randomness, bytes => {
        const code = formatClaimCode(bytes);
        const plain = code.replaceAll('-', '');
        const sloppy = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
        expect([code, plain, sloppy, sloppy.toUpperCase().replaceAll('L', 'I')].map(normalizeClaimCode)).toEqual(
          Array(4).fill(plain),
        );
      }),
    );
  });

  it('is null for any other text', () => {
    for (const typed of [
      '',
      '0000-0000-000',
      '0000-0000-00000',
      '0000-0000-000U',
      '0000_0000_0000',
      '0000-0000-000é',
    ]) {
      expect(normalizeClaimCode(typed)).toBeNull();
    }
  });
});
