import type { BrandedType } from './branded-type.ts';

/** A string, never a number: `0042` keeps its zeros. */
export type PinDigits = BrandedType<string, 'PinDigits'>;

export const PIN_MIN_LENGTH = 4;
export const PIN_MAX_LENGTH = 20;

const FORM = /^[0-9]{4,20}$/;

export const toPinDigits = (text: string): PinDigits | null => (FORM.test(text) ? (text as PinDigits) : null);

/** The prefixes of a PIN that could be PINs themselves, the shortest first. */
export const listShorterPins = (digits: string): PinDigits[] =>
  Array.from(
    { length: Math.max(0, digits.length - PIN_MIN_LENGTH) },
    (_, index) => digits.slice(0, PIN_MIN_LENGTH + index) as PinDigits,
  );
