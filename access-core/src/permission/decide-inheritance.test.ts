import { describe, expect, test } from 'vitest';
import { AccessIndex } from '../access-index/access-index.ts';
import type { PermissionRule } from '../access-model.ts';
import type { MemberGroupId } from '../ids.ts';
import { answer } from './agreed-answer.test-arrangement.ts';
import * as given from './hotel.test-arrangement.ts';
import type { NaiveWorld } from './naive-decide.test-oracle.ts';

describe('inheritance', () => {
  const staff = 'mg_staff' as MemberGroupId;
  const inherits = (rule: PermissionRule, ...inherited: PermissionRule[]): NaiveWorld =>
    given.hotel({
      member_groups: [given.group([{ ...rule, member_group_id: staff }]), given.group(inherited, { id: staff })],
    });

  test('grants what the other group may, and names the path', () => {
    const world = inherits({}, { action_id: 'close' }, { access_methods: { pin: true } });
    expect(answer(world, given.request())).toBe('grant');
    expect(new AccessIndex(world).decide(given.request())).toMatchObject({
      rule: { member_group_id: given.groupId, path: [0, 1] },
    });
  });

  test.each<[string, PermissionRule, PermissionRule, string]>([
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
  ])('ANDs restrictions: %s', (_, own, inherited, expected) => {
    expect(answer(inherits(own, inherited), given.request({ now: given.at('2026-06-03T20:00:00Z') }))).toBe(expected);
  });

  test('presence asked for by either is asked for', () => {
    const online = given.request({ access_method: 'online' });
    expect(answer(inherits({ presence: 'gps' }, { presence: 'none' }), online)).toBe('not_present');
    expect(answer(inherits({ presence: 'none' }, { presence: 'gps' }), online)).toBe('not_present');
  });

  test('from a group without rules gives nothing', () => {
    expect(answer(inherits({}), given.request())).toBe('no_matching_rule');
  });
});
