import { listShorterPins, PIN_MIN_LENGTH } from '@lintel/access-core/pin-digits';
import type { PinLookupResult } from './pin-reservations.ts';

export interface PinGeneratorDependencies {
  readonly lookUp: (codes: readonly string[]) => Promise<PinLookupResult>;
  /** Uniform from 0 to below `bound`. */
  readonly randomInt: (bound: number) => number;
}

const randomDigits = ({ randomInt }: PinGeneratorDependencies, length: number): string =>
  Array.from({ length }, () => String(randomInt(10))).join('');

const shuffle = <T>({ randomInt }: PinGeneratorDependencies, items: readonly T[]): T[] => {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
  }
  return shuffled;
};

const prefixesAndCode = (code: string): string[] => [...listShorterPins(code), code];

/** Number of random codes per round. One is nearly always enough. */
const CODES_PER_ROUND = [1, 8, 64];

const drawFreePin = async (
  dependencies: PinGeneratorDependencies,
  length: number,
  count: number,
): Promise<string | null> => {
  const candidates = Array.from({ length: count }, () => randomDigits(dependencies, length));
  const { pins, prefixes } = await dependencies.lookUp([...new Set(candidates.flatMap(prefixesAndCode))]);
  const isFree = (code: string): boolean => !prefixes.has(code) && !prefixesAndCode(code).some(part => pins.has(part));
  return candidates.find(isFree) ?? null;
};

const DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));
const CODES_PER_LOOKUP = 1000;

/** All codes of the minimum length. */
const shortestCodes = Array.from({ length: 10 ** PIN_MIN_LENGTH }, (_, code) =>
  String(code).padStart(PIN_MIN_LENGTH, '0'),
);

/**
 * Searches the tree of digits level by level. A PIN blocks all codes that begin with it, prefixes of PINs are searched
 * further, and everything below any other code is free. Ends with a free code or null, after a number of lookups bounded
 * by the number of PINs.
 */
const searchFreePin = async (dependencies: PinGeneratorDependencies, length: number): Promise<string | null> => {
  let level: string[] = shortestCodes;
  for (let depth = PIN_MIN_LENGTH; level.length > 0; depth++) {
    const takenPrefixes: string[] = [];
    const codes = shuffle(dependencies, level);
    for (let from = 0; from < codes.length; from += CODES_PER_LOOKUP) {
      const batch = codes.slice(from, from + CODES_PER_LOOKUP);
      const { pins, prefixes } = await dependencies.lookUp(batch);
      const free = batch.find(code => !pins.has(code) && !prefixes.has(code));
      if (free !== undefined) return free + randomDigits(dependencies, length - depth);
      for (const code of batch) if (!pins.has(code)) takenPrefixes.push(code);
    }
    if (depth === length) return null;
    level = takenPrefixes.flatMap(code => DIGITS.map(digit => code + digit));
  }
  return null;
};

/** Returns a PIN that is not a prefix of another PIN and has no other PIN as a prefix; null when none is left. */
export const generatePin = async (dependencies: PinGeneratorDependencies, length: number): Promise<string | null> => {
  for (const count of CODES_PER_ROUND) {
    const code = await drawFreePin(dependencies, length, count);
    if (code !== null) return code;
  }
  return searchFreePin(dependencies, length);
};
