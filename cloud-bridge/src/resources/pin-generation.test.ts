import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generatePin, type PinSource } from './pin-generation.ts';

const everyCode = (length: number): string[] =>
  Array.from({ length: 10 ** length }, (_, code) => String(code).padStart(length, '0'));

const seededInt = (seed: number): ((bound: number) => number) => {
  let state = seed >>> 0;
  return bound => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
};

const sourceOf = (living: ReadonlySet<string>, seed = 1): PinSource & { readonly looks: { count: number } } => {
  const beginnings = new Set(
    [...living].flatMap(pin => Array.from({ length: pin.length - 4 }, (_, index) => pin.slice(0, 4 + index))),
  );
  const looks = { count: 0 };
  return {
    looks,
    randomInt: seededInt(seed),
    look: async codes => {
      looks.count++;
      return {
        claimed: new Set(codes.filter(code => living.has(code))),
        extended: new Set(codes.filter(code => beginnings.has(code) && !living.has(code))),
      };
    },
  };
};

const isFree = (pin: string, living: ReadonlySet<string>): boolean =>
  [...living].every(other => !other.startsWith(pin) && !pin.startsWith(other));

/** Nearly all codes are taken, so that random attempts fail and the tree of digits has to be searched. */
const crowded = fc
  .record({
    spared: fc.uniqueArray(fc.integer({ min: 0, max: 9999 }), { maxLength: 2 }),
    below: fc.array(fc.tuple(fc.nat(1), fc.stringMatching(/^[0-9]{1,3}$/)), { maxLength: 40 }),
    filled: fc.boolean(),
  })
  .map(({ spared, below, filled }) => {
    const roots = spared.map(code => String(code).padStart(4, '0'));
    const living = new Set(everyCode(4).filter(code => !roots.includes(code)));
    for (const [which, tail] of below) {
      const root = roots[which % Math.max(1, roots.length)];
      if (root !== undefined) living.add(root + tail);
    }
    if (filled && roots[0] !== undefined) for (const digit of '0123456789') living.add(roots[0] + digit);
    return living;
  });

describe('generatePin', () => {
  it('returns a free PIN whenever one exists, and null otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(crowded, fc.integer({ min: 4, max: 6 }), fc.nat(), async (living, length, seed) => {
        const pin = await generatePin(sourceOf(living, seed), length);
        const spared = everyCode(4).filter(code => !living.has(code));
        const candidates = spared.flatMap(root =>
          length === 4 ? [root] : everyCode(length - 4).map(tail => root + tail),
        );
        const someFree = candidates.some(code =>
          isFree(code, new Set([...living].filter(pin => pin.startsWith(code.slice(0, 4))))),
        );
        expect(pin !== null).toBe(someFree);
        expect(pin === null || (pin.length === length && isFree(pin, living))).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('looks once when most codes are free', async () => {
    const source = sourceOf(new Set(['1234', '567890']));
    expect(await generatePin(source, 6)).toMatch(/^\d{6}$/);
    expect(source.looks.count).toBe(1);
  });

  it('needs a bounded number of looks to prove that no code is free, whatever the length', async () => {
    const source = sourceOf(new Set(everyCode(4)));
    expect(await generatePin(source, 20)).toBeNull();
    expect(source.looks.count).toBe(13);
  });

  it('can return every free code, not only the first', async () => {
    const living = new Set(everyCode(4).filter(code => !code.startsWith('004')));
    const found = new Set<string | null>();
    for (let seed = 0; seed < 100; seed++) found.add(await generatePin(sourceOf(living, seed * 7919), 4));
    expect(found.size).toBe(10);
  });
});
