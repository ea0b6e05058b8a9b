import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveWiegandFormat, type WiegandFormat } from '../wiegand/formats.ts';
import { decodeOsdpCardBits as decode } from './card-bits.ts';

const common: readonly WiegandFormat[] = [26, 34, 37];
const decodeCardBits = (bits: Uint8Array, count: number, reversed: boolean, formats = common) =>
  decode(bits, count, formats.map(resolveWiegandFormat), reversed);

const bytesOf = (bits: string): Uint8Array =>
  Uint8Array.from(bits.match(/.{1,8}/g)!, byte => Number.parseInt(byte.padEnd(8, '0'), 2));

const parity = (bits: string): number => bits.replaceAll('0', '').length % 2;

/** Even parity over the first half, odd over the second. */
const wiegand = (number: bigint, length: number): string => {
  const data = number.toString(2).padStart(length - 2, '0');
  const half = Math.ceil(data.length / 2);
  return `${parity(data.slice(0, half))}${data}${1 - parity(data.slice(-half))}`;
};

describe('decodeOsdpCardBits', () => {
  it('accepts whole UIDs, in either byte order', () => {
    expect(decodeCardBits(Uint8Array.of(0, 1, 2, 0xfe), 32, false)).toBe('000102fe');
    expect(decodeCardBits(Uint8Array.of(0, 1, 2, 0xfe), 32, true)).toBe('fe020100');
    expect(
      decodeCardBits(
        Uint8Array.from({ length: 10 }, (_, at) => at),
        80,
        false,
      ),
    ).toBe('00010203040506070809');
  });

  it.each([
    [26, 8],
    [34, 8],
    [37, 14],
  ])('reads the number of a %i-bit card, and rejects it with one wrong bit', (length, digits) => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** BigInt(length - 2) - 1n }),
        fc.nat({ max: length - 1 }),
        (number, wrong) => {
          const bits = wiegand(number, length);
          expect(decodeCardBits(bytesOf(bits), length, false)).toBe(number.toString(16).padStart(digits, '0'));
          const flipped = `${bits.slice(0, wrong)}${1 - Number(bits[wrong])}${bits.slice(wrong + 1)}`;
          // The middle bit of 35 belongs to both halves, and both detect the change.
          expect(decodeCardBits(bytesOf(flipped), length, false)).toBeNull();
        },
      ),
    );
  });

  it('reads formats of the profile', () => {
    const uid = Uint8Array.of(0xe0, 4, 1, 0, 0x12, 0x34, 0x56, 0x78);
    expect(decodeCardBits(uid, 64, false)).toBeNull();
    expect(decodeCardBits(uid, 64, false, ['uid_64'])).toBe('0000e004010012345678');
  });

  it.each([1, 4, 8, 25, 27, 40, 48, 64, 200])('rejects a card of %i bits', length => {
    expect(decodeCardBits(new Uint8Array(Math.ceil(length / 8)), length, false)).toBeNull();
  });
});
