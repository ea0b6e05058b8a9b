import { describe, expect, it } from 'vitest';
import { AccessIndex } from '../access-index/access-index.ts';
import type { PermissionRule } from '../access-model.ts';
import type { MemberGroupId } from '../ids.ts';
import { checkedDecision } from './checked-decision.test-support.ts';
import * as given from './sample-hotel.test-support.ts';
import type { AccessData } from './reference-decide.test-support.ts';

describe('decidePermission with inherited rules', () => {
  const staff = 'mg_staff' as MemberGroupId;
  const inherits = (rule: PermissionRule, ...inherited: PermissionRule[]): AccessData =>
    given.hotel({
      member_groups: [given.group([{ ...rule, member_group_id: staff }]), given.group(inherited, { id: staff })],
    });

  it('grants what the inherited group may do, and names the path', () => {
    const world = inherits({}, { action_id: 'close' }, { access_methods: { pin: true } });
    expect(checkedDecision(world, given.request())).toBe('grant');
    expect(new AccessIndex(world).decide(given.request())).toMatchObject({
      rule: { member_group_id: given.groupId, path: [0, 1] },
    });
  });

  it.each<[string, PermissionRule, PermissionRule, string]>([
    [
      'targets that exclude one another',
      { gadget_id: given.gadgetId, action_id: 'open' },
      { gadget_id: given.gadgetId, action_id: 'close' },
      'no_matching_rule',
    ],
    [
      'methods without one in common',
      { access_methods: { pin: true } },
      { access_methods: { card: true } },
      'method_not_allowed',
    ],
    ['a schedule on the inheriting rule', { schedule_id: given.scheduleId }, {}, 'out_of_schedule'],
    ['a schedule on the inherited rule', {}, { schedule_id: given.scheduleId }, 'out_of_schedule'],
    ['methods of both', { access_methods: { pin: true } }, { access_methods: { pin: true, card: true } }, 'grant'],
  ])('combines the restrictions of both rules: %s', (_, own, inherited, expected) => {
    expect(checkedDecision(inherits(own, inherited), given.request({ now: given.at('2026-06-03T20:00:00Z') }))).toBe(
      expected,
    );
  });

  it('requires presence if either rule requires it', () => {
    const online = given.request({ access_method: 'online' });
    expect(checkedDecision(inherits({ presence: 'gps' }, { presence: 'none' }), online)).toBe('not_present');
    expect(checkedDecision(inherits({ presence: 'none' }, { presence: 'gps' }), online)).toBe('not_present');
  });

  it('grants nothing from a group without rules', () => {
    expect(checkedDecision(inherits({}), given.request())).toBe('no_matching_rule');
  });
});
