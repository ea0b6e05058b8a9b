import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveWiegandFormat, type WiegandFormat } from './formats.ts';
import {
  type WiegandBit,
  decodeWiegandCard as decodeCard,
  decodeWiegandKey,
  decodeWiegandPin,
  type UidByteOrder,
} from './frame.ts';

const common: readonly WiegandFormat[] = [26, 34, 37];
const decodeWiegandCard = (frame: readonly WiegandBit[], order?: UidByteOrder, formats = common) =>
  decodeCard(frame, formats.map(resolveWiegandFormat), order);

const bits = (text: string): WiegandBit[] => Array.from(text.replaceAll(' ', ''), digit => (digit === '1' ? 1 : 0));

/** Encodes the number independently: even parity in front, odd behind. */
const frameOf = (data: string, covered: number): WiegandBit[] => {
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
          const wrong = frame.map((bit, index): WiegandBit => (index === place ? (bit === 1 ? 0 : 1) : bit));
          expect(decodeWiegandCard(wrong)).toBeNull();
        },
      ),
    );
  });

  it('of 36 bits has the fields of Keyscan or Simplex between its parity bits', () => {
    // Maker 900, facility 123, card 45678; facility 123, issue 1, card 45678. Parity bits counted by hand.
    const keyscan = bits('1 1110000100 01111011 1011001001101110 1');
    const simplex = bits('0 01111011 01 000000001011001001101110 0');
    const uid = (frame: WiegandBit[], format: WiegandFormat) => decodeWiegandCard(frame, 'as_sent', [format]);
    expect(uid(keyscan, 'keyscan_36')).toBe('000003847bb26e');
    expect(uid(simplex, 'simplex_36')).toBe('000001ed00b26e');
    expect(uid(keyscan, 'simplex_36')).toBeNull();
    expect(uid(simplex, 'keyscan_36')).toBeNull();
  });

  it('of 40 bits has facility and card of Honeywell, with a check byte', () => {
    const data = [0xf0, 0x2a, 0x00, 0x45];
    const check = data.reduce((all, byte) => all ^ byte, 0);
    const frame = bits([...data, check].map(byte => byte.toString(2).padStart(8, '0')).join(''));
    expect(decodeWiegandCard(frame, 'as_sent', ['honeywell_40'])).toBe('002a0045');
    for (const place of frame.keys()) {
      const wrong = frame.map((bit, index): WiegandBit => (index === place ? (bit === 1 ? 0 : 1) : bit));
      expect(decodeWiegandCard(wrong, 'as_sent', ['honeywell_40'])).toBeNull();
    }
  });

  it('of 40 bits has 38 bits of Casi-Rusco', () => {
    const frame = bits(`0${(0x2a_1234_5678).toString(2).padStart(38, '0')}0`);
    expect(decodeWiegandCard(frame, 'as_sent', ['casi_rusco_40'])).toBe('00002a12345678');
  });

  it('of 48 bits has company 42 and card 69 between the parity bits of its makers', () => {
    // Independent of the masks of the driver: bits count from 1, as in the published format.
    const frame = [0, 0, ...bits((42).toString(2).padStart(22, '0')), ...bits((69).toString(2).padStart(23, '0')), 0];
    const count = (isCovered: (place: number) => boolean): number =>
      frame.filter((bit, index) => bit === 1 && isCovered(index + 1)).length;
    frame[1] = count(place => place >= 4 && place <= 47 && place % 3 !== 0) % 2;
    frame[47] = 1 - (count(place => place >= 3 && place <= 46 && place % 3 !== 2) % 2);
    frame[0] = 1 - (count(place => place >= 2) % 2);
    const sent = frame.map((bit): WiegandBit => (bit === 1 ? 1 : 0));
    expect(decodeWiegandCard(sent, 'as_sent', ['corporate_1000_48'])).toBe('00000015000045');
    for (const place of sent.keys()) {
      const wrong = sent.map((bit, index): WiegandBit => (index === place ? (bit === 1 ? 0 : 1) : bit));
      expect(decodeWiegandCard(wrong, 'as_sent', ['corporate_1000_48'])).toBeNull();
    }
  });

  it('of 56 bits has facility and card of Avigilon between two parity bits, or of Inner Range', () => {
    const binary = (value: number, length: number): string => value.toString(2).padStart(length, '0');
    const ones = (text: string): number => text.replaceAll('0', '').length;
    // The first parity bit makes the first half even, the last one the second half odd.
    const data = binary(42, 20) + binary(69, 34);
    const avigilon = bits(`${ones(data.slice(0, 27)) % 2}${data}${1 - (ones(data.slice(27)) % 2)}`);
    expect(decodeWiegandCard(avigilon, 'as_sent', ['avigilon_56'])).toBe('0000a800000045');
    for (const place of avigilon.keys()) {
      const wrong = avigilon.map((bit, index): WiegandBit => (index === place ? (bit === 1 ? 0 : 1) : bit));
      expect(decodeWiegandCard(wrong, 'as_sent', ['avigilon_56'])).toBeNull();
    }
    const innerRange = bits(binary(42, 24) + binary(69, 32));
    expect(decodeWiegandCard(innerRange, 'as_sent', ['inner_range_56'])).toBe('00002a00000045');
  });

  it('of 58 and 64 bits has the same UID for the numbers of a TWIC card', () => {
    // Agency 32, system 1, credential 92446, series 0, issue 1.
    const data = '00000000100000 00000000000001 00010110100100011110 0000 0001'.replaceAll(' ', '');
    const uid = '00800011691e01';
    expect(decodeWiegandCard(frameOf(data, 28), 'as_sent', ['twic_58'])).toBe(uid);
    expect(decodeWiegandCard(bits(`${data}10000000`), 'as_sent', ['twic_64'])).toBe(uid);
  });

  it('of 35 bits has company and card number between the parity bits of its makers', () => {
    // Independent of the masks of the driver: bits 2 to 33 as a number, and constants from the published format.
    const encode = (company: number, card: number): string => {
      const data = (BigInt(company) << 20n) | BigInt(card);
      const odd = (value: bigint): bigint => BigInt(value.toString(2).replaceAll('0', '').length % 2);
      let frame = data << 1n;
      frame |= odd(frame & 0x1b6db6db6n) << 33n;
      frame |= 1n - odd(frame & 0x36db6db6cn);
      frame |= (1n - odd(frame)) << 34n;
      return frame.toString(2).padStart(35, '0');
    };
    const frame = bits(encode(1_234, 567_890));
    expect(decodeWiegandCard(frame, 'as_sent', ['corporate_1000_35'])).toBe('4d28aa52');
    for (const [place] of frame.entries()) {
      const wrong = frame.map((bit, at): WiegandBit => (at === place ? (bit === 1 ? 0 : 1) : bit));
      expect(decodeWiegandCard(wrong, 'as_sent', ['corporate_1000_35'])).toBeNull();
    }
  });

  it('of a whole uid is padded to 4, 7 or 10 bytes, after its bytes were put in order', () => {
    const uid = 'e0040100 12345678';
    const sent = (digits: string): WiegandBit[] =>
      bits(
        Array.from(digits.replaceAll(' ', ''), digit => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join(
          '',
        ),
      );
    expect(decodeWiegandCard(sent(uid), 'as_sent', ['uid_64'])).toBe('0000e004010012345678');
    expect(decodeWiegandCard(sent(uid), 'reversed', ['uid_64'])).toBe('000078563412000104e0');
    expect(decodeWiegandCard(sent('0102030405'), 'as_sent', ['uid_40'])).toBe('00000102030405');
    expect(decodeWiegandCard(sent('04112233445566'), 'as_sent', ['uid_56'])).toBe('04112233445566');
    expect(decodeWiegandCard(frameOf(sent('04112233445566').join(''), 28), 'as_sent', ['uid_58'])).toBe(
      '04112233445566',
    );
  });

  it('has the fields of a layout in the profile', () => {
    const own = { uid: '-UUUUUUUU---', parity: ['Exxxx-------', '-----xxxxO--'] };
    expect(decodeWiegandCard(bits('1 0111 0001 0 11'), 'as_sent', [own])).toBe('00000071');
    expect(decodeWiegandCard(bits('0 0111 0001 0 11'), 'as_sent', [own])).toBeNull();
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

describe('Wiegand PIN of 26 bits', () => {
  const pins = { facility: 200, digits: 4 };
  const frame = (facility: number, number: number): WiegandBit[] =>
    frameOf(facility.toString(2).padStart(8, '0') + number.toString(2).padStart(16, '0'), 12);

  it('is the number after the facility of the keypad, with its zeros in front, and is submitted', () => {
    expect(decodeWiegandPin(frame(200, 2580), pins)?.join('')).toBe('2580#');
    expect(decodeWiegandPin(frame(200, 42), pins)?.join('')).toBe('0042#');
    expect(decodeWiegandPin(frame(200, 42), { ...pins, digits: 5 })?.join('')).toBe('00042#');
  });

  it('is neither a card of another facility, nor too long, nor damaged', () => {
    expect(decodeWiegandPin(frame(201, 2580), pins)).toBeNull();
    expect(decodeWiegandPin(frame(200, 12_580), pins)).toBeNull();
    expect(decodeWiegandPin(frame(200, 2580).toReversed(), pins)).toBeNull();
    expect(decodeWiegandPin(frame(200, 2580).slice(1), pins)).toBeNull();
  });
});
