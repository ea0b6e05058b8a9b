import { parseKeyEntryTimes } from '@lintel/access-core/key-entry-times';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { checkProfile } from '@lintel/hardware-profiles/profile-schema';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { gadgetWirings } from './gadget-wirings.ts';

/** Where in a JSON document there is a value, as a list of keys. */
const placesIn = (value: unknown, at: readonly string[] = []): (readonly string[])[] => {
  const below = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [at, ...below.flatMap(([key, one]) => placesIn(one, [...at, key]))];
};

const replaced = (value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown => {
  if (key === undefined) return by;
  // An earlier change may have taken the place away.
  if (typeof value !== 'object' || value === null) return value;
  const fields = structuredClone(value) as Record<string, unknown>;
  fields[key] = replaced(fields[key], rest, by);
  return fields;
};

const values = fc.oneof(
  fc.integer({ min: -1, max: 700_000 }),
  fc.constantFrom(0, 1, 100, 1_000, 60_000, 300_000, 3_600_000, 86_400_000, true, false, null, [], {}),
  fc.constantFrom('open', 'close', 'time', 'door_relay', 'on', 'off', 'active', 'use_clock'),
  fc.jsonValue({ maxDepth: 2 }),
);

const changed = fc
  .constantFrom(...loadProfiles())
  .chain(profile =>
    fc
      .array(fc.tuple(fc.constantFrom(...placesIn(profile)), values), { minLength: 1, maxLength: 3 })
      .map(changes => changes.reduce<unknown>((value, [at, by]) => replaced(value, at, by), profile)),
  );

it('never throws on what is no profile, and names places with every problem', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.anything(), changed), value => {
      const checked = checkProfile(value);
      if (checked.ok) return;
      expect(checked.problems.length).toBeGreaterThan(0);
      expect(checked.problems.length).toBeLessThanOrEqual(100);
      for (const { message } of checked.problems) expect(message).not.toBe('');
    }),
    { numRuns: 2_000 },
  );
});

it('takes nothing for a profile that the machines of doors, blinds and keypads refuse', () => {
  let valid = 0;
  fc.assert(
    fc.property(changed, value => {
      const checked = checkProfile(value);
      if (!checked.ok) return;
      valid++;
      expect(gadgetWirings(checked.profile)).toMatchObject({ ok: true });
      expect(parseKeyEntryTimes(checked.profile.times)).toMatchObject({ ok: true });
    }),
    { numRuns: 3_000 },
  );
  expect(valid).toBeGreaterThan(50);
});
