import { describe, expect, it } from 'vitest';
import { loadProfiles } from './load-profiles.ts';
import { checkProfile } from './check-profile.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';
import { readShippedProfile, setValueAtPath } from './profile-json.test-support.ts';

const problemsOf = (product: string, changes: Readonly<Record<string, unknown>>): string[] => {
  const tree = readShippedProfile(product);
  for (const [path, value] of Object.entries(changes)) setValueAtPath(tree, path, value);
  const checked = checkProfile(tree);
  return checked.ok ? [] : checked.problems.map(({ path, message }) => `${path}: ${message}`);
};

const pathsIn = (value: unknown, at = ''): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, one]) => [`${at}${key}`, ...pathsIn(one, `${at}${key}.`)]);

describe('checkProfile with several problems', () => {
  it.each([
    ['a missing field', { revision: null }],
    ['an unknown field', { 'gadgets.0.color': 'red' }],
    ['a broken capability', { 'capabilities.pin': 'yes' }],
    ['a value of a bus that has a default', { 'buses.relays.answers': 'no' }],
    ['another bus', { 'buses.more': { driver: 'nothing' } }],
    ['another gadget', { 'gadgets.1': { key: 'x' } }],
  ])('also reports unknown names: %s', (_, broken) => {
    const problems = problemsOf('usb-only', { ...broken, tamper: 'lid', 'gadgets.0.strike': 'no_relay' });
    expect(problems).toContain('gadgets.0.strike: unknown output no_relay');
    expect(problems).toContain('tamper: unknown input lid');
    expect(problems.filter(problem => problem.includes('unknown'))).toHaveLength(2);
  });

  it('also reports duplicate channels and unknown keypads', () => {
    const problems = problemsOf('usb-only', {
      revision: 7,
      'buses.relays.outputs.second': { channel: 1 },
      'stations.entrance.keypad': 'no_pad',
    });
    expect(problems).toContain('buses.relays.outputs.second.channel: channel 1 is already used');
    expect(problems).toContain('stations.entrance.keypad: unknown keypad no_pad');
  });

  it('keeps the indexes behind an invalid gadget', () => {
    const problems = problemsOf('rpi-osdp', { 'gadgets.0.kind': 'portal', 'gadgets.1.strike': 'no_relay' });
    expect(problems).toContain('gadgets.1.strike: unknown output no_relay');
    expect(problems).toHaveLength(2);
  });

  const topLevelPart = (path: string): string => path.split('.', 2).join('.');

  it.each(loadProfiles().map(({ product_id }) => product_id))('reports only the part that is invalid: %s', product => {
    const values = [null, 'Ω', 1e9];
    const valuesPerPlace = iterations({ sample: 1, all: values.length });
    const unrelated = pathsIn(readShippedProfile(product)).flatMap((place, index) =>
      Array.from({ length: valuesPerPlace }, (_, turn) => values[(index + turn) % values.length]).flatMap(broken => {
        const tree = readShippedProfile(product);
        setValueAtPath(tree, place, broken);
        const checked = checkProfile(tree);
        if (checked.ok) return [];
        const others = checked.problems.filter(({ path }) => !topLevelPart(place).startsWith(topLevelPart(path)));
        return others.map(({ path, message }) => `${place} ${broken}: ${path} ${message}`);
      }),
    );
    expect(unrelated).toEqual([]);
  });
});
