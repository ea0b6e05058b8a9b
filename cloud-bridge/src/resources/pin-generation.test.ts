import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generatePin, type PinGeneratorDependencies } from './pin-generation.ts';

const everyCode = (length: number): string[] =>
  Array.from({ length: 10 ** length }, (_, code) => String(code).padStart(length, '0'));

const seededInt = (seed: number): ((bound: number) => number) => {
  let state = seed >>> 0;
  return bound => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
};

const createDependencies = (
  reservedPins: ReadonlySet<string>,
  seed = 1,
): PinGeneratorDependencies & { readonly lookups: { count: number } } => {
  const prefixes = new Set(
    [...reservedPins].flatMap(pin => Array.from({ length: pin.length - 4 }, (_, index) => pin.slice(0, 4 + index))),
  );
  const lookups = { count: 0 };
  return {
    lookups,
    randomInt: seededInt(seed),
    lookUp: async codes => {
      lookups.count++;
      return {
        pins: new Set(codes.filter(code => reservedPins.has(code))),
        prefixes: new Set(codes.filter(code => prefixes.has(code) && !reservedPins.has(code))),
      };
    },
  };
};

const isFree = (pin: string, reservedPins: ReadonlySet<string>): boolean =>
  [...reservedPins].every(other => !other.startsWith(pin) && !pin.startsWith(other));

/** Nearly all codes are taken, so that random attempts fail and the tree of digits has to be searched. */
const crowded = fc
  .record({
    spared: fc.uniqueArray(fc.integer({ min: 0, max: 9999 }), { maxLength: 2 }),
    below: fc.array(fc.tuple(fc.nat(1), fc.stringMatching(/^[0-9]{1,3}$/)), { maxLength: 40 }),
    filled: fc.boolean(),
  })
  .map(({ spared, below, filled }) => {
    const roots = spared.map(code => String(code).padStart(4, '0'));
    const reservedPins = new Set(everyCode(4).filter(code => !roots.includes(code)));
    for (const [which, tail] of below) {
      const root = roots[which % Math.max(1, roots.length)];
      if (root !== undefined) reservedPins.add(root + tail);
    }
    if (filled && roots[0] !== undefined) for (const digit of '0123456789') reservedPins.add(roots[0] + digit);
    return reservedPins;
  });

describe('generatePin', () => {
  it('returns a free PIN whenever one exists, and null otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(crowded, fc.integer({ min: 4, max: 6 }), fc.nat(), async (reservedPins, length, seed) => {
        const pin = await generatePin(createDependencies(reservedPins, seed), length);
        const spared = everyCode(4).filter(code => !reservedPins.has(code));
        const candidates = spared.flatMap(root =>
          length === 4 ? [root] : everyCode(length - 4).map(tail => root + tail),
        );
        const hasFreeCode = candidates.some(code =>
          isFree(code, new Set([...reservedPins].filter(pin => pin.startsWith(code.slice(0, 4))))),
        );
        expect(pin !== null).toBe(hasFreeCode);
        expect(pin === null || (pin.length === length && isFree(pin, reservedPins))).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('needs one lookup when most codes are free', async () => {
    const dependencies = createDependencies(new Set(['1234', '567890']));
    expect(await generatePin(dependencies, 6)).toMatch(/^\d{6}$/);
    expect(dependencies.lookups.count).toBe(1);
  });

  it('needs a bounded number of lookups to prove that no code is free, whatever the length', async () => {
    const dependencies = createDependencies(new Set(everyCode(4)));
    expect(await generatePin(dependencies, 20)).toBeNull();
    expect(dependencies.lookups.count).toBe(13);
  });

  it('can return every free code, not only the first', async () => {
    const reservedPins = new Set(everyCode(4).filter(code => !code.startsWith('004')));
    const found = new Set<string | null>();
    for (let seed = 0; seed < 100; seed++)
      found.add(await generatePin(createDependencies(reservedPins, seed * 7919), 4));
    expect(found.size).toBe(10);
  });
});
