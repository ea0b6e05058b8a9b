import { parseKeyEntryTimes } from '@lintel/access-core/key-entry-times';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { checkProfile, type Profile } from '@lintel/hardware-profiles/check-profile';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';
import { parseGadgetWirings } from './parse-gadget-wirings.ts';

interface Place {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Every value in a JSON document with its path. */
const placesIn = (value: unknown, path: readonly string[] = []): Place[] => {
  const children = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [{ path, value }, ...children.flatMap(([key, child]) => placesIn(child, [...path, key]))];
};

const replaced = (value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown => {
  if (key === undefined) return by;
  // An earlier change may have removed the place.
  if (typeof value !== 'object' || value === null) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
};

const numbers = fc.oneof(
  fc.integer({ min: -1, max: 700_000 }),
  fc.constantFrom(0, 1, 100, 1_000, 60_000, 300_000, 3_600_000, 86_400_000),
);
const anyValue = fc.oneof(
  numbers,
  fc.constantFrom(true, false, null, [], {}),
  fc.constantFrom('open', 'close', 'time', 'door_relay', 'on', 'off', 'active', 'use_clock'),
  fc.jsonValue({ maxDepth: 2 }),
);

const changedAt = (places: (profile: Profile) => Place[], valueFor: (place: Place) => fc.Arbitrary<unknown>) =>
  fc.constantFrom(...loadProfiles()).chain(profile => {
    const change = fc
      .constantFrom(...places(profile))
      .chain(place => valueFor(place).map(by => ({ path: place.path, by })));
    return fc
      .array(change, { minLength: 1, maxLength: 3 })
      .map(changes => changes.reduce<unknown>((value, { path, by }) => replaced(value, path, by), profile));
  });

/** Shipped profiles with any value at any place: almost all are invalid. */
const damagedProfile = changedAt(
  profile => placesIn(profile),
  () => anyValue,
);
/** Shipped profiles with other numbers and switches: many are valid. */
const variedProfile = changedAt(
  profile => placesIn(profile).filter(({ value }) => typeof value === 'number' || typeof value === 'boolean'),
  ({ value }) => (typeof value === 'number' ? numbers : fc.boolean()),
);

describe('checkProfile', () => {
  it('returns 1 to 100 problems with messages for an invalid profile, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.anything(), damagedProfile), value => {
        const checked = checkProfile(value);
        if (checked.ok) return;
        expect(checked.problems.length).toBeGreaterThan(0);
        expect(checked.problems.length).toBeLessThanOrEqual(100);
        for (const { message } of checked.problems) expect(message).not.toBe('');
      }),
      { numRuns: iterations({ sample: 200, all: 2_000 }) },
    );
  });

  it('accepts only profiles whose doors, blinds and key entry times the firmware accepts too', () => {
    const runs = iterations({ sample: 200, all: 3_000 });
    let valid = 0;
    fc.assert(
      fc.property(fc.oneof({ weight: 3, arbitrary: variedProfile }, damagedProfile), value => {
        const checked = checkProfile(value);
        if (!checked.ok) return;
        valid++;
        expect(parseGadgetWirings(checked.profile)).toMatchObject({ ok: true });
        expect(parseKeyEntryTimes(checked.profile.times)).toMatchObject({ ok: true });
      }),
      { numRuns: runs },
    );
    expect(valid).toBeGreaterThan(runs / 30);
  });
});
