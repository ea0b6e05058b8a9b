import { describe, expect, test } from 'vitest';
import { AccessIndex } from '../access-index/access-index.ts';
import type { MemberGroupId } from '../ids.ts';
import { instant } from '../instant.ts';
import { answer, answerOf, withRules } from './agreed-answer.test-arrangement.ts';
import { decide } from './decide.ts';
import * as given from './hotel.test-arrangement.ts';
import type { NaiveWorld } from './naive-decide.test-oracle.ts';
import { worldOf } from './world-of.test-arrangement.ts';

describe('while the time is not trusted', () => {
  const untrusted = given.request({ time_trusted: false });
  const limited = [
    ['the member has a start', { members: [given.member({ starts_at: instant(0) })] }],
    ['the member has an end', { members: [given.member({ ends_at: given.at('2030-01-01T00:00:00Z') })] }],
    [
      'the association has an end',
      { members: [given.member({ group_associations: [given.association({ ends_at: instant(1) })] })] },
    ],
    ['the rule has a schedule', { member_groups: [given.group([{ schedule_id: given.scheduleId }])] }],
  ] as const;

  test('a path without any time limit grants', () => {
    expect(answer(given.hotel(), untrusted)).toBe('grant');
  });

  test.each(limited)('it is time_untrusted when %s', (_, change) => {
    expect(answer(given.hotel(change), untrusted)).toBe('time_untrusted');
  });

  test('a schedule on an inheriting rule limits what it inherits', () => {
    const staff = 'mg_staff' as MemberGroupId;
    const rules = [{ schedule_id: given.scheduleId, member_group_id: staff }];
    const world = given.hotel({ member_groups: [given.group(rules), given.group([{}], { id: staff })] });
    expect(answer(world, untrusted)).toBe('time_untrusted');
  });

  test('one path without a limit is enough among others with one', () => {
    expect(answer(withRules({ schedule_id: given.scheduleId }, {}), untrusted)).toBe('grant');
  });

  test.each<[string, NaiveWorld, string]>([
    ['deleted', given.hotel({ members: [given.member({ is_deleted: true, ends_at: instant(0) })] }), 'member_deleted'],
    [
      'in no group at all',
      given.hotel({ members: [given.member({ ends_at: instant(0), group_associations: [] })] }),
      'no_group',
    ],
    [
      'without a rule for the action',
      withRules({ gadget_id: given.gadgetId, action_id: 'close', schedule_id: given.scheduleId }),
      'no_matching_rule',
    ],
    [
      'without a rule for the method',
      withRules({ access_methods: { card: true }, schedule_id: given.scheduleId }),
      'method_not_allowed',
    ],
  ])('a member that no time would help hears the real reason: %s', (_, world, expected) => {
    expect(answer(world, untrusted)).toBe(expected);
  });

  test('who is away is not present, schedule or not', () => {
    const world = withRules({ schedule_id: given.scheduleId, presence: 'gps' });
    expect(answer(world, given.request({ time_trusted: false, access_method: 'online' }))).toBe('not_present');
  });

  test.each([
    [given.noon, 'grant'],
    [given.at('2026-06-03T22:00:00Z'), 'out_of_schedule'],
  ])('a profile may go by the clock all the same: %i', (now, expected) => {
    const world = withRules({ schedule_id: given.scheduleId });
    expect(answer(world, given.request({ time_trusted: false, now }), 'use_clock')).toBe(expected);
  });

  test('a clock that shows no number is not trusted, whoever says so', () => {
    const broken = given.request({ now: instant(Number.NaN) });
    const world = withRules({ schedule_id: given.scheduleId });
    expect(answerOf(decide(worldOf(world), broken))).toBe('time_untrusted');
    expect(answerOf(new AccessIndex(world).decide(broken, 'use_clock'))).toBe('time_untrusted');
    expect(answerOf(new AccessIndex(given.hotel()).decide(broken))).toBe('grant');
  });
});
