import { describe, expect, it } from 'vitest';
import { listShorterPins } from './pin-digits.ts';

describe('listShorterPins', () => {
  it.each([
    ['1234', []],
    ['12345', ['1234']],
    ['0042137', ['0042', '00421', '004213']],
    ['123', []],
  ])('returns the prefixes of %s with 4 digits or more', (digits, prefixes) => {
    expect(listShorterPins(digits)).toEqual(prefixes);
  });
});
