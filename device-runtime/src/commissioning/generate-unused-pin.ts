import { listShorterPins, type PinDigits, toPinDigits } from '@lintel/access-core/pin-digits';

const DIGITS = 6;
const MOST_TRIES = 500;
/** The largest multiple of ten in a byte. Bytes above it would favor low digits. */
const UNBIASED_LIMIT = 250;

/** The PINs of the members. */
interface KnownPins {
  known(pin: PinDigits): boolean;
  extended(pin: PinDigits): boolean;
}

const randomDigits = (randomBytes: (count: number) => Uint8Array): string => {
  const fair = Array.from(randomBytes(DIGITS * 3)).filter(byte => byte < UNBIASED_LIMIT);
  return fair.map(byte => byte % 10).join('');
};

/** Six digits that are neither equal to, nor a prefix of, nor an extension of a known PIN; null if none was found. */
export const generateUnusedPin = (pins: KnownPins, randomBytes: (count: number) => Uint8Array): PinDigits | null => {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const digits = randomDigits(randomBytes);
    const pin = digits.length < DIGITS ? null : toPinDigits(digits.slice(0, DIGITS));
    if (pin === null || pins.known(pin) || pins.extended(pin)) continue;
    if (!listShorterPins(pin).some(prefix => pins.known(prefix))) return pin;
  }
  return null;
};
