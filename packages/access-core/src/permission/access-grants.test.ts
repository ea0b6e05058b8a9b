import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Member, PermissionRule } from '../access-data-types.ts';
import { instant } from '../instant.ts';
import { createAccessDataSource } from './access-data-source.test-support.ts';
import { listGrantsForAction, listMemberPermissionRules } from './access-grants.ts';
import { decidePermission } from './decide.ts';
import { arbitraryAccessData, arbitraryAccessRequest } from './random-access-data.test-support.ts';
import * as given from './sample-hotel.test-support.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

const grantsOf = (permissions: readonly PermissionRule[], change: Partial<Member> = {}, site = {}) => {
  const member = given.createSampleMember(change);
  const world = createAccessDataSource({
    members: [member],
    member_groups: [given.createSampleMemberGroup(permissions)],
    schedules: [given.createSampleSchedule()],
    gadgets: [given.createSampleGadget()],
    sites: [given.createSampleSite(site)],
  });
  return listGrantsForAction(
    world,
    listMemberPermissionRules(world, member, given.SAMPLE_NOON),
    given.createSampleGadget(),
    'open',
  );
};

describe('listGrantsForAction', () => {
  it('lists methods, schedules, presence and validity of each rule', () => {
    const grants = grantsOf(
      [
        { gadget_id: given.SAMPLE_GADGET_ID, access_methods: { pin: true, card: true } },
        { schedule_id: given.SAMPLE_SCHEDULE_ID, presence: 'gps' },
        { action_id: 'close' },
      ],
      { ends_at: instant(given.SAMPLE_NOON + 1000) },
    );
    expect(grants).toMatchObject([
      {
        access_methods: ['pin', 'card'],
        schedule_ids: [],
        requires_presence: false,
        ends_at: given.SAMPLE_NOON + 1000,
      },
      { schedule_ids: [given.SAMPLE_SCHEDULE_ID], requires_presence: true, rule: { path: [1] } },
    ]);
  });

  it.each([
    ['a deleted member', { is_deleted: true }],
    ['a member that has ended', { ends_at: given.SAMPLE_NOON }],
    ['an association that ends before the member starts', { starts_at: instant(given.SAMPLE_NOON + 2000) }],
  ])('lists nothing for %s', (_, change) => {
    const group_associations = [given.createSampleAssociation({ ends_at: instant(given.SAMPLE_NOON + 1000) })];
    expect(grantsOf([{}], { group_associations, ...change })).toEqual([]);
  });

  it('lists nothing for a schedule at a site without a time zone, and for a rule without a method', () => {
    expect(grantsOf([{ schedule_id: given.SAMPLE_SCHEDULE_ID }], {}, { timezone: null })).toEqual([]);
    expect(grantsOf([{ access_methods: {} }])).toEqual([]);
  });

  it('includes every access that is granted', () => {
    fc.assert(
      fc.property(arbitraryAccessData, arbitraryAccessRequest, (data, asked) => {
        const world = createAccessDataSource(data);
        const request = { ...asked, time_trusted: true };
        if (decidePermission(world, request).outcome !== 'grant') return;
        const [member, gadget] = [world.member(request.member_id)!, world.gadget(request.gadget_id)!];
        const rules = listMemberPermissionRules(world, member, request.now);
        const grants = listGrantsForAction(world, rules, gadget, request.action_id);
        const covering = grants.filter(
          ({ access_methods, starts_at, ends_at }) =>
            access_methods.includes(request.access_method) &&
            (starts_at === null || starts_at <= request.now) &&
            (ends_at === null || ends_at > request.now),
        );
        expect(covering.length).toBeGreaterThan(0);
      }),
      { numRuns: iterations({ sample: 500, all: 5000 }) },
    );
  });
});
