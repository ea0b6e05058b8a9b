import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ExpandTree, parseExpand } from './expand.ts';
import { resourceTypes } from './resource-fields.ts';

const outline = (tree: ExpandTree): object =>
  Object.fromEntries([...tree].map(([name, { children }]) => [name, outline(children)]));

const expanded = (type: (typeof resourceTypes)[number], text: string): unknown => {
  const parsed = parseExpand(type, text);
  return parsed.ok ? outline(parsed.value) : parsed.problems.map(({ message }) => message).join();
};

test('names are separated by commas and nested with dots', () => {
  expect(expanded('member', 'pins,group_associations.member_group, group_associations.organization')).toEqual({
    pins: {},
    group_associations: { member_group: {}, organization: {} },
  });
});

test('nothing asked is nothing expanded', () => {
  expect(expanded('member', '')).toEqual({});
});

test('a reference back and forth has no limit of depth', () => {
  const chain = Array.from({ length: 400 }, () => 'member.pins').join('.');
  expect(parseExpand('member_pin', chain).ok).toBe(true);
});

test.each([
  ['member', 'room', "Invalid expand 'room' for object 'member'"],
  ['member', 'pins,room', "Invalid expand 'room' for object 'member'"],
  ['member', 'group_associations.room', "Invalid expand 'room' for object 'member_group_association'"],
  ['member', 'group_associations.room.deeper', "Invalid expand 'room' for object 'member_group_association'"],
  ['gadget', 'state', "Invalid expand 'state' for object 'gadget'"],
  ['event', 'object_hardware', "Invalid expand 'object_hardware' for object 'event'"],
  ['member', 'pins,', "Invalid expand '' for object 'member'"],
  ['member', 'pins.', "Invalid expand '' for object 'member_pin'"],
  ['member', '__proto__', "Invalid expand '__proto__' for object 'member'"],
  ['member', 'constructor', "Invalid expand 'constructor' for object 'member'"],
] as const)('%s does not expand %s', (type, text, message) => {
  expect(expanded(type, text)).toBe(message);
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.constantFrom(...resourceTypes), fc.string(), (type, text) => {
      expect(() => parseExpand(type, text)).not.toThrow();
    }),
  );
});
