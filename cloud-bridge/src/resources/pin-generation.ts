import { PIN_MIN_LENGTH } from '@lintel/access-core/pin-digits';
import { prefixesOf, type TakenCodes } from './pin-claims.ts';

export interface PinSource {
  readonly look: (codes: readonly string[]) => Promise<TakenCodes>;
  /** Uniform from 0 to below `bound`. */
  readonly randomInt: (bound: number) => number;
}

const randomDigits = ({ randomInt }: PinSource, length: number): string =>
  Array.from({ length }, () => String(randomInt(10))).join('');

const shuffled = <T>({ randomInt }: PinSource, items: readonly T[]): T[] => {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
};

const codesAlong = (code: string): string[] => [...prefixesOf(code), code];

/** How many codes are drawn at once: one is enough nearly always. */
const DRAWS = [1, 8, 64];

const draw = async (source: PinSource, length: number, count: number): Promise<string | null> => {
  const candidates = Array.from({ length: count }, () => randomDigits(source, length));
  const { claimed, extended } = await source.look([...new Set(candidates.flatMap(codesAlong))]);
  const isFree = (code: string): boolean => !extended.has(code) && !codesAlong(code).some(part => claimed.has(part));
  return candidates.find(isFree) ?? null;
};

const DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));
const CODES_PER_LOOK = 1000;

/** All codes of the shortest length. */
const roots = Array.from({ length: 10 ** PIN_MIN_LENGTH }, (_, code) => String(code).padStart(PIN_MIN_LENGTH, '0'));

/**
 * Walks the tree of digits level by level. A PIN blocks all that begins with it, the beginning of a PIN has to be
 * looked into, and below any other code everything is free: so it ends with a free code or with the proof that there
 * is none, after a number of looks that the living PINs bound.
 */
const walk = async (source: PinSource, length: number): Promise<string | null> => {
  let level: string[] = roots;
  for (let depth = PIN_MIN_LENGTH; level.length > 0; depth++) {
    const beginnings: string[] = [];
    const codes = shuffled(source, level);
    for (let from = 0; from < codes.length; from += CODES_PER_LOOK) {
      const asked = codes.slice(from, from + CODES_PER_LOOK);
      const { claimed, extended } = await source.look(asked);
      const free = asked.find(code => !claimed.has(code) && !extended.has(code));
      if (free !== undefined) return free + randomDigits(source, length - depth);
      for (const code of asked) if (!claimed.has(code)) beginnings.push(code);
    }
    if (depth === length) return null;
    level = beginnings.flatMap(code => DIGITS.map(digit => code + digit));
  }
  return null;
};

/** A PIN that no living PIN begins with and that begins no living PIN; null when this length has none left. */
export const generatePin = async (source: PinSource, length: number): Promise<string | null> => {
  for (const count of DRAWS) {
    const code = await draw(source, length, count);
    if (code !== null) return code;
  }
  return walk(source, length);
};
