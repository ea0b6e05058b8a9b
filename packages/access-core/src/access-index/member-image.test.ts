import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';
import type { Member } from '../access-data-types.ts';
import type { GroupAssociationId, MemberCardId, MemberGroupId, MemberId, MemberPinId } from '../ids.ts';
import { decideByReference, type AccessData } from '../permission/reference-decide.test-support.ts';
import * as random from '../permission/random-access-data.test-support.ts';
import { AccessIndex } from './access-index.ts';
import { MemberImageError, type MemberImageSection } from './member-image.ts';
import { applyChange, arbitraryChange, readAnswers } from './random-changes.test-support.ts';

const nothing: AccessData = { sites: [], gadgets: [], schedules: [], member_groups: [], members: [] };

const copySections = (index: AccessIndex): MemberImageSection[] =>
  Array.from(index.exportMembers(), section => section.slice());

const importCopy = (sections: readonly MemberImageSection[], others: AccessData = nothing): AccessIndex => {
  const index = new AccessIndex(nothing);
  index.importMembers(sections);
  for (const put of others.sites) index.apply({ type: 'site', put });
  for (const put of others.gadgets) index.apply({ type: 'gadget', put });
  for (const put of others.schedules) index.apply({ type: 'schedule', put });
  for (const put of others.member_groups) index.apply({ type: 'member_group', put });
  return index;
};

const ulid = (number: number): string => `01k9zq3v5b7t9ynq${number.toString(8).padStart(10, '0')}`;

const createMember = (number: number): Member => ({
  id: `mem_${ulid(number)}` as MemberId,
  is_deleted: false,
  starts_at: null,
  ends_at: null,
  group_associations: Array.from({ length: number % 8 }, (_, index) => ({
    id: `mga_${ulid(8 * number + index)}` as GroupAssociationId,
    member_group_id: `mg_${index}` as MemberGroupId,
    starts_at: null,
    ends_at: null,
  })),
  pins: [
    { id: `mpin_${number}` as MemberPinId, digest: `${number}0` },
    { id: `mpin_${number}x` as MemberPinId, digest: `not hex ${number}`, extended: true },
  ],
  cards: [{ id: `mcard_${ulid(number)}` as MemberCardId, digest: `c${number}` }],
  tokens: [],
});

/** More than one chunk of each table. */
const MANY = 17_000;
const createLargeIndex = (): AccessIndex => {
  const index = new AccessIndex({
    ...nothing,
    members: Array.from({ length: MANY }, (_, number) => createMember(number)),
  });
  for (let number = 0; number < MANY; number += 3) index.apply({ type: 'member', remove: createMember(number).id });
  return index;
};

describe('an image of the members of an access index', () => {
  it('gives the same answers and decisions, also after more changes', () => {
    fc.assert(
      fc.property(
        random.arbitraryAccessData,
        fc.array(arbitraryChange, { maxLength: 25 }),
        fc.array(arbitraryChange, { maxLength: 25 }),
        fc.array(random.arbitraryAccessRequest, { maxLength: 8 }),
        (start, before, after, requests) => {
          const original = new AccessIndex(start);
          let world: AccessData = start;
          for (const change of before) {
            original.apply(change);
            world = applyChange(world, change);
          }
          const imported = importCopy(copySections(original), world);
          expect(readAnswers(imported)).toEqual(readAnswers(original));
          for (const change of after) {
            original.apply(change);
            imported.apply(change);
            world = applyChange(world, change);
          }
          expect(readAnswers(imported)).toEqual(readAnswers(original));
          expect(readAnswers(imported)).toEqual(readAnswers(new AccessIndex(world)));
          for (const request of requests) expect(imported.decide(request)).toEqual(decideByReference(world, request));
          expect(readAnswers(importCopy(copySections(imported)))).toEqual(readAnswers(imported));
        },
      ),
      { numRuns: iterations({ sample: 100, all: 500 }) },
    );
  });

  it('contains every member of a large index, and grows', () => {
    const imported = importCopy(copySections(createLargeIndex()));
    for (let number = MANY; number < 2 * MANY; number++) imported.apply({ type: 'member', put: createMember(number) });
    for (let number = 1; number < MANY; number += 6)
      imported.apply({ type: 'member', put: createMember(number + 2 * MANY) });
    for (let number = 0; number < 2 * MANY; number += 37) {
      const member = createMember(number);
      const isRemoved = number < MANY && number % 3 === 0;
      expect(imported.member(member.id)).toEqual(isRemoved ? undefined : member);
      expect(imported.findCard(`c${number}`)?.member_id).toBe(isRemoved ? undefined : member.id);
      expect(imported.isPinExtended(`not hex ${number}`)).toBe(!isRemoved);
    }
  });

  it('is empty for an empty index', () => {
    expect(importCopy(copySections(new AccessIndex(nothing))).memberCount).toBe(0);
  });

  it('is rejected if sections are missing, shortened, exchanged or added', () => {
    const sections = copySections(createLargeIndex());
    const importing = (wrong: readonly MemberImageSection[]) => () => importCopy(wrong);
    for (const [at, section] of sections.entries()) {
      expect(importing(sections.toSpliced(at, 1)), `without section ${at}`).toThrow(MemberImageError);
      if (section.length > 0)
        expect(importing(sections.with(at, section.slice(1))), `shortened ${at}`).toThrow(MemberImageError);
    }
    expect(importing([...sections, Uint32Array.of(1)])).toThrow(MemberImageError);
    expect(importing(sections.with(0, Uint32Array.of(0)))).toThrow(MemberImageError);
    expect(() => new AccessIndex({ ...nothing, members: [createMember(1)] }).importMembers(sections)).toThrow(
      MemberImageError,
    );
  });

  it('has the words of its format: change MEMBER_IMAGE_FORMAT whenever this hash changes', () => {
    const hash = createHash('sha256');
    const index = new AccessIndex({
      ...nothing,
      members: Array.from({ length: 20 }, (_, number) => createMember(number)),
    });
    for (const section of index.exportMembers())
      hash.update(section instanceof Uint32Array ? new Uint8Array(section.buffer) : section.join('\n'));
    expect(hash.digest('hex')).toBe('acdc6c78a0f991b6242a8a365edc09f9e1bd931850019da5dd46869d3a2758af');
  });
});
