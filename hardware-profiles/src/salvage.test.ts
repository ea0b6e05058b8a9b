import { describe, expect, it } from 'vitest';
import { loadProfiles } from './load-profiles.ts';
import { checkProfile } from './profile-schema.ts';
import { iterations } from '@lintel/test/support/test-budget';
import { asWritten, put } from './profile-tree.test-support.ts';

const problemsOf = (product: string, changes: Readonly<Record<string, unknown>>): string[] => {
  const tree = asWritten(product);
  for (const [path, value] of Object.entries(changes)) put(tree, path, value);
  const checked = checkProfile(tree);
  return checked.ok ? [] : checked.problems.map(({ path, message }) => `${path}: ${message}`);
};

const placesIn = (value: unknown, at = ''): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, one]) => [`${at}${key}`, ...placesIn(one, `${at}${key}.`)]);

describe('checkProfile with several problems', () => {
  it.each([
    ['a missing field', { revision: null }],
    ['an unknown field', { 'gadgets.0.colour': 'red' }],
    ['a broken capability', { 'capabilities.pin': 'yes' }],
    ['a value of a bus that has a default', { 'buses.relays.answers': 'no' }],
    ['another bus', { 'buses.more': { driver: 'nothing' } }],
    ['another gadget', { 'gadgets.1': { key: 'x' } }],
  ])('also reports unknown names: %s', (_, broken) => {
    const problems = problemsOf('usb-only', { ...broken, tamper: 'lid', 'gadgets.0.strike': 'no_relay' });
    expect(problems).toContain('gadgets.0.strike: there is no output no_relay');
    expect(problems).toContain('tamper: there is no input lid');
    expect(problems.filter(one => one.includes('there is no'))).toHaveLength(2);
  });

  it('also reports duplicate channels and unknown keypads', () => {
    const problems = problemsOf('usb-only', {
      revision: 7,
      'buses.relays.outputs.second': { channel: 1 },
      'stations.entrance.keypad': 'no_pad',
    });
    expect(problems).toContain('buses.relays.outputs.second.channel: channel 1 is used already');
    expect(problems).toContain('stations.entrance.keypad: there is no keypad no_pad on any bus');
  });

  it('keeps the indexes behind an invalid gadget', () => {
    const problems = problemsOf('rpi-osdp', { 'gadgets.0.kind': 'portal', 'gadgets.1.strike': 'no_relay' });
    expect(problems).toContain('gadgets.1.strike: there is no output no_relay');
    expect(problems).toHaveLength(2);
  });

  const pieceOf = (path: string): string => path.split('.', 2).join('.');

  it.each(loadProfiles().map(({ product_id }) => product_id))('blames only the part that is invalid: %s', product => {
    const values = [null, 'Ω', 1e9];
    const valuesPerPlace = iterations({ sample: 1, all: values.length });
    const blamed = placesIn(asWritten(product)).flatMap((place, index) =>
      Array.from({ length: valuesPerPlace }, (_, turn) => values[(index + turn) % values.length]).flatMap(broken => {
        const tree = asWritten(product);
        put(tree, place, broken);
        const checked = checkProfile(tree);
        if (checked.ok) return [];
        const others = checked.problems.filter(({ path }) => !pieceOf(place).startsWith(pieceOf(path)));
        return others.map(({ path, message }) => `${place} ${broken}: ${path} ${message}`);
      }),
    );
    expect(blamed).toEqual([]);
  });
});
