import { describe, expect, it } from 'vitest';
import { AccessIndex } from '../access-index/access-index.ts';
import type { PermissionRule } from '../access-data-types.ts';
import type { MemberGroupId } from '../ids.ts';
import { decideAndCompareImplementations } from './compare-decision-implementations.test-support.ts';
import * as given from './sample-hotel.test-support.ts';
import type { AccessData } from './reference-decide.test-support.ts';

describe('decidePermission with inherited rules', () => {
  const staff = 'mg_staff' as MemberGroupId;
  const inherits = (rule: PermissionRule, ...inherited: PermissionRule[]): AccessData =>
    given.createSampleHotel({
      member_groups: [
        given.createSampleMemberGroup([{ ...rule, member_group_id: staff }]),
        given.createSampleMemberGroup(inherited, { id: staff }),
      ],
    });

  it('grants what the inherited group may do, and names the path', () => {
    const world = inherits({}, { action_id: 'close' }, { access_methods: { pin: true } });
    expect(decideAndCompareImplementations(world, given.createSampleAccessRequest())).toBe('grant');
    expect(new AccessIndex(world).decide(given.createSampleAccessRequest())).toMatchObject({
      rule: { member_group_id: given.SAMPLE_MEMBER_GROUP_ID, path: [0, 1] },
    });
  });

  it.each<[string, PermissionRule, PermissionRule, string]>([
    [
      'targets that exclude one another',
      { gadget_id: given.SAMPLE_GADGET_ID, action_id: 'open' },
      { gadget_id: given.SAMPLE_GADGET_ID, action_id: 'close' },
      'no_matching_rule',
    ],
    [
      'methods without one in common',
      { access_methods: { pin: true } },
      { access_methods: { card: true } },
      'method_not_allowed',
    ],
    ['a schedule on the inheriting rule', { schedule_id: given.SAMPLE_SCHEDULE_ID }, {}, 'out_of_schedule'],
    ['a schedule on the inherited rule', {}, { schedule_id: given.SAMPLE_SCHEDULE_ID }, 'out_of_schedule'],
    ['methods of both', { access_methods: { pin: true } }, { access_methods: { pin: true, card: true } }, 'grant'],
  ])('combines the restrictions of both rules: %s', (_, own, inherited, expected) => {
    expect(
      decideAndCompareImplementations(
        inherits(own, inherited),
        given.createSampleAccessRequest({ now: given.parseSampleTime('2026-06-03T20:00:00Z') }),
      ),
    ).toBe(expected);
  });

  it('requires presence if either rule requires it', () => {
    const online = given.createSampleAccessRequest({ access_method: 'online' });
    expect(decideAndCompareImplementations(inherits({ presence: 'gps' }, { presence: 'none' }), online)).toBe(
      'not_present',
    );
    expect(decideAndCompareImplementations(inherits({ presence: 'none' }, { presence: 'gps' }), online)).toBe(
      'not_present',
    );
  });

  it('grants nothing from a group without rules', () => {
    expect(decideAndCompareImplementations(inherits({}), given.createSampleAccessRequest())).toBe('no_matching_rule');
  });
});
