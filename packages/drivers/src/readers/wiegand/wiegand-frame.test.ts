import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bit, decodeWiegandCard, decodeWiegandKey } from './wiegand-frame.ts';

const bits = (text: string): Bit[] => Array.from(text.replaceAll(' ', ''), digit => (digit === '1' ? 1 : 0));

/** Encodes the number independently: even parity in front, odd behind. */
const frameOf = (data: string, covered: number): Bit[] => {
  const ones = (part: string): number => part.replaceAll('0', '').length;
  const even = ones(data.slice(0, covered)) % 2;
  const odd = 1 - (ones(data.slice(-covered)) % 2);
  return bits(`${even}${data}${odd}`);
};

describe('Wiegand card frame', () => {
  it('of 26 bits has facility 123 and card 45678', () => {
    expect(decodeWiegandCard(bits('1 01111011 10110010 01101110 0'))).toBeNull();
    expect(decodeWiegandCard(bits('0 01111011 10110010 01101110 1'))).toBeNull();
    expect(decodeWiegandCard(bits('1 01111011 10110010 01101110 1'))).toBe('007bb26e');
  });

  it('of 26 zeros is a card with all its zeros', () => {
    expect(decodeWiegandCard(bits('0 00000000 0000000000000000 1'))).toBe('00000000');
  });

  it('of 34 bits carries a whole UID in the byte order of the reader', () => {
    const frame = frameOf((0x04a1b2c3).toString(2).padStart(32, '0'), 16);
    expect(decodeWiegandCard(frame)).toBe('04a1b2c3');
    expect(decodeWiegandCard(frame, 'reversed')).toBe('c3b2a104');
  });

  it('of 37 bits does not fit into four bytes', () => {
    expect(decodeWiegandCard(frameOf((0x7_1234_5678).toString(2).padStart(35, '0'), 18))).toBe('00000712345678');
  });

  it('is decoded as it was sent, and rejected with any single wrong bit', () => {
    const lengths = fc.constantFrom([24, 12, 8] as const, [32, 16, 8] as const, [35, 18, 14] as const);
    fc.assert(
      fc.property(
        lengths,
        fc.bigInt({ min: 0n, max: 2n ** 35n - 1n }),
        fc.nat(),
        ([data, covered, digits], any, at) => {
          const number = any % 2n ** BigInt(data);
          const frame = frameOf(number.toString(2).padStart(data, '0'), covered);
          expect(decodeWiegandCard(frame)).toBe(number.toString(16).padStart(digits, '0'));
          const place = at % frame.length;
          const wrong = frame.map((bit, index): Bit => (index === place ? (bit === 1 ? 0 : 1) : bit));
          expect(decodeWiegandCard(wrong)).toBeNull();
        },
      ),
    );
  });

  it('of any other length is rejected', () => {
    for (const length of [0, 1, 4, 8, 25, 27, 33, 35, 36, 38, 48, 64])
      expect(decodeWiegandCard(Array.from({ length }, () => 0))).toBeNull();
  });
});

describe('Wiegand key burst', () => {
  const keys = '0123456789*#';
  const binary = (value: number): string => value.toString(2).padStart(4, '0');

  it('has four bits, or eight with the complement on either side', () => {
    for (const [value, key] of [...Buffer.from(keys)].map(
      (code, index) => [index, String.fromCharCode(code)] as const,
    )) {
      const [plain, complement] = [binary(value), binary(15 - value)];
      expect(decodeWiegandKey(bits(plain), '4_bit')).toBe(key);
      expect(decodeWiegandKey(bits(complement + plain), '8_bit')).toBe(key);
      expect(decodeWiegandKey(bits(plain + complement), '8_bit_reversed')).toBe(key);
    }
  });

  it('is rejected with another length, a wrong complement or an unknown key', () => {
    expect(decodeWiegandKey(bits('0001'), '8_bit')).toBeNull();
    expect(decodeWiegandKey(bits('11100001'), '4_bit')).toBeNull();
    expect(decodeWiegandKey(bits('11100011'), '8_bit')).toBeNull();
    expect(decodeWiegandKey(bits('1100'), '4_bit')).toBeNull();
    expect(decodeWiegandKey(bits('00011110'), '8_bit')).toBeNull();
    expect(decodeWiegandKey([], '4_bit')).toBeNull();
  });
});
