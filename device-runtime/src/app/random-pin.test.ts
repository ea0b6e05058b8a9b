import type { PinDigits } from '@lintel/access-core/pin-digits';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { freePin, shorterPins } from './random-pin.ts';

const pins = fc.array(fc.stringMatching(/^[0-9]{4,8}$/), { maxLength: 200 });
const knownPins = (known: readonly string[]) => ({
  known: (pin: PinDigits) => known.includes(pin),
  extended: (pin: PinDigits) => known.some(one => one !== pin && one.startsWith(pin)),
});

/** Bytes that differ from call to call, as bad or good as fast-check wants them. */
const bytesFrom = (seed: number) => {
  let state = seed;
  return (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 16;
    });
};

it('is six digits that neither are nor begin nor continue a PIN that is known', () => {
  fc.assert(
    fc.property(pins, fc.integer(), (known, seed) => {
      const pin = freePin(knownPins(known), bytesFrom(seed));
      expect(pin).toMatch(/^[0-9]{6}$/);
      expect(known.some(one => one.startsWith(pin!) || pin!.startsWith(one))).toBe(false);
    }),
  );
});

it.each([
  ['is a PIN', ['123456']],
  ['begins one', ['12345678']],
  ['continues one', ['1234']],
])('is another when the first one that comes up %s', (_case, known) => {
  const draws = Array.from('123456'.repeat(3) + '987650'.repeat(3), Number);
  expect(freePin(knownPins(known), count => Uint8Array.from(draws.splice(0, count)))).toBe('987650');
});

it('is none where there is none, rather than one that a member has', () => {
  expect(freePin({ known: pin => pin.length === 4, extended: () => false }, bytesFrom(1))).toBeNull();
  expect(freePin(knownPins([]), count => new Uint8Array(count).fill(255))).toBeNull();
});

it('has every digit about as often as any other', () => {
  const counts = Array.from({ length: 10 }, () => 0);
  const random = bytesFrom(7);
  for (let round = 0; round < 5_000; round += 1)
    for (const digit of freePin(knownPins([]), random)!) counts[Number(digit)]! += 1;
  for (const count of counts) expect(Math.abs(count - 3_000)).toBeLessThan(300);
});

it('begins with PINs of four digits and more', () => {
  expect(shorterPins('123456' as PinDigits)).toEqual(['1234', '12345']);
});
