import type { PinDigits } from '@lintel/access-core/pin-digits';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateUnusedPin } from './generate-unused-pin.ts';

const pins = fc.array(fc.stringMatching(/^[0-9]{4,8}$/), { maxLength: 200 });
const knownPins = (known: readonly string[]) => ({
  known: (pin: PinDigits) => known.includes(pin),
});

/** Bytes that differ from call to call, with any distribution that fast-check chooses. */
const bytesFrom = (seed: number) => {
  let state = seed;
  return (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 16;
    });
};

describe('freePin', () => {
  it('has six digits and neither equals nor extends a known PIN', () => {
    fc.assert(
      fc.property(pins, fc.integer(), (known, seed) => {
        const pin = generateUnusedPin(knownPins(known), bytesFrom(seed));
        expect(pin).toMatch(/^[0-9]{6}$/);
        expect(known.some(one => pin!.startsWith(one))).toBe(false);
      }),
    );
  });

  it.each([
    ['is a PIN', ['123456']],
    ['continues one', ['1234']],
  ])('is drawn again when the first candidate %s', (_case, known) => {
    const draws = Array.from('123456'.repeat(3) + '987650'.repeat(3), Number);
    expect(generateUnusedPin(knownPins(known), count => Uint8Array.from(draws.splice(0, count)))).toBe('987650');
  });

  it('is null when no PIN is free, rather than the PIN of a member', () => {
    expect(generateUnusedPin({ known: pin => pin.length === 4 }, bytesFrom(1))).toBeNull();
    expect(generateUnusedPin(knownPins([]), count => new Uint8Array(count).fill(255))).toBeNull();
  });

  it('has uniformly distributed digits', () => {
    const counts = Array.from({ length: 10 }, () => 0);
    const random = bytesFrom(7);
    for (let round = 0; round < 5_000; round += 1)
      for (const digit of generateUnusedPin(knownPins([]), random)!) counts[Number(digit)]! += 1;
    for (const count of counts) expect(Math.abs(count - 3_000)).toBeLessThan(300);
  });
});
