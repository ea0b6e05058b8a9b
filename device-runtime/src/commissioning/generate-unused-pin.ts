import { listShorterPins, type PinDigits, toPinDigits } from '@lintel/access-core/pin-digits';

const DIGITS = 6;
const MOST_TRIES = 500;
/** The largest multiple of ten in a byte. Bytes above it would favor low digits. */
const UNBIASED_LIMIT = 250;

/** The PINs of the members. */
interface KnownPins {
  known(pin: PinDigits): boolean;
}

const randomDigits = (randomBytes: (count: number) => Uint8Array): string => {
  const fair = Array.from(randomBytes(DIGITS * 3)).filter(byte => byte < UNBIASED_LIMIT);
  return fair.map(byte => byte % 10).join('');
};

/**
 * Six digits that neither equal nor extend a known PIN; null if none was found. A longer PIN may begin with them: the
 * controller knows no prefixes of PINs. The chance is one in a million for each longer PIN.
 */
export const generateUnusedPin = (pins: KnownPins, randomBytes: (count: number) => Uint8Array): PinDigits | null => {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const digits = randomDigits(randomBytes);
    const pin = digits.length < DIGITS ? null : toPinDigits(digits.slice(0, DIGITS));
    if (pin === null || pins.known(pin)) continue;
    if (!listShorterPins(pin).some(prefix => pins.known(prefix))) return pin;
  }
  return null;
};
