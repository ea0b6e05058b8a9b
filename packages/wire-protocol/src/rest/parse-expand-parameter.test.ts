import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExpandTree, parseExpand } from './parse-expand-parameter.ts';
import { resourceTypes } from './resource-types-and-field-types.ts';

const outline = (tree: ExpandTree): object =>
  Object.fromEntries([...tree].map(([name, { children }]) => [name, outline(children)]));

const expanded = (type: (typeof resourceTypes)[number], text: string): unknown => {
  const parsed = parseExpand(type, text);
  return parsed.ok ? outline(parsed.value) : parsed.problems.map(({ message }) => message).join();
};

describe('parseExpand', () => {
  it('separates names by commas and nests them with dots', () => {
    expect(expanded('member', 'pins,group_associations.member_group, group_associations.organization')).toEqual({
      pins: {},
      group_associations: { member_group: {}, organization: {} },
    });
  });

  it('returns an empty tree for an empty text', () => {
    expect(expanded('member', '')).toEqual({});
  });

  it('accepts references back and forth at any depth', () => {
    const chain = Array.from({ length: 400 }, () => 'member.pins').join('.');
    expect(parseExpand('member_pin', chain).ok).toBe(true);
  });

  it.each([
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
  ] as const)('rejects for %s: %s', (type, text, message) => {
    expect(expanded(type, text)).toBe(message);
  });

  it('does not throw on any text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...resourceTypes), fc.string(), (type, text) => {
        expect(() => parseExpand(type, text)).not.toThrow();
      }),
    );
  });
});
