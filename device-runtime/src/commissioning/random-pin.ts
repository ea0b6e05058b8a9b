import { asPinDigits, type PinDigits } from '@lintel/access-core/pin-digits';

const DIGITS = 6;
const MOST_TRIES = 500;
/** The largest multiple of ten in a byte: above it the low digits would come more often. */
const FAIR = 250;

/** What is known of the PINs of the members. */
interface KnownPins {
  known(pin: PinDigits): boolean;
  extended(pin: PinDigits): boolean;
}

const randomDigits = (randomBytes: (count: number) => Uint8Array): string => {
  const fair = Array.from(randomBytes(DIGITS * 3)).filter(byte => byte < FAIR);
  return fair.map(byte => byte % 10).join('');
};

/** The beginnings of a PIN that could be PINs themselves. */
export const shorterPins = (pin: PinDigits): readonly PinDigits[] =>
  Array.from(pin, (_, index) => asPinDigits(pin.slice(0, index))).filter(one => one !== null);

/** Six digits that neither are nor begin nor continue a known PIN; null when none such was found. */
export const freePin = (pins: KnownPins, randomBytes: (count: number) => Uint8Array): PinDigits | null => {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const digits = randomDigits(randomBytes);
    const pin = digits.length < DIGITS ? null : asPinDigits(digits.slice(0, DIGITS));
    if (pin === null || pins.known(pin) || pins.extended(pin)) continue;
    if (!shorterPins(pin).some(one => pins.known(one))) return pin;
  }
  return null;
};
