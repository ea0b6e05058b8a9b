import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMemberInGroups } from './is-member-in-groups.ts';
import type { MemberWithCredentials } from './members-with-credentials.ts';

const flag = fc.constantFrom(0 as const, 1 as const);
const groupsOfController = new Set(['mg_a', 'mg_b']);

const members: fc.Arbitrary<MemberWithCredentials> = fc.record({
  id: fc.constant('mem_1'),
  is_deleted: flag,
  starts_at: fc.constant(null),
  ends_at: fc.constant(null),
  associations: fc.array(
    fc.record({
      id: fc.constant('mga_1'),
      member_group_id: fc.constantFrom('mg_a', 'mg_b', 'mg_gone', 'mg_other'),
      starts_at: fc.constant(null),
      ends_at: fc.constant(null),
      is_deleted: flag,
    }),
    { maxLength: 5 },
  ),
  pins: fc.constant([]),
  cards: fc.constant([]),
  tokens: fc.constant([]),
  magicLinks: fc.constant([]),
});

describe('isMemberInGroups', () => {
  it('is true only for an association that is not deleted', () => {
    fc.assert(
      fc.property(members, member => {
        const activeGroups = member.associations
          .filter(association => association.is_deleted === 0)
          .map(association => association.member_group_id);
        const expected = member.is_deleted === 0 && (activeGroups.includes('mg_a') || activeGroups.includes('mg_b'));
        expect(isMemberInGroups(member, groupsOfController)).toBe(expected);
      }),
    );
  });
});
