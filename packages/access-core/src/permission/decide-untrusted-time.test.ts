import { describe, expect, it } from 'vitest';
import { AccessIndex } from '../access-index/access-index.ts';
import type { MemberGroupId } from '../ids.ts';
import { instant } from '../instant.ts';
import { checkedDecision, summaryOf, withRules } from './checked-decision.test-support.ts';
import { decidePermission } from './decide.ts';
import * as given from './sample-hotel.test-support.ts';
import type { AccessData } from './reference-decide.test-support.ts';
import { accessDataSourceOf } from './access-data-source.test-support.ts';

describe('decidePermission while the time is untrusted', () => {
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

  it('grants by a path without time limits', () => {
    expect(checkedDecision(given.hotel(), untrusted)).toBe('grant');
  });

  it.each(limited)('denies with time_untrusted when %s', (_, change) => {
    expect(checkedDecision(given.hotel(change), untrusted)).toBe('time_untrusted');
  });

  it('applies the schedule of an inheriting rule to the inherited rules', () => {
    const staff = 'mg_staff' as MemberGroupId;
    const rules = [{ schedule_id: given.scheduleId, member_group_id: staff }];
    const world = given.hotel({ member_groups: [given.group(rules), given.group([{}], { id: staff })] });
    expect(checkedDecision(world, untrusted)).toBe('time_untrusted');
  });

  it('grants if at least one path has no time limit', () => {
    expect(checkedDecision(withRules({ schedule_id: given.scheduleId }, {}), untrusted)).toBe('grant');
  });

  it.each<[string, AccessData, string]>([
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
  ])('reports the actual reason if a correct time would not help: %s', (_, world, expected) => {
    expect(checkedDecision(world, untrusted)).toBe(expected);
  });

  it('denies an absent member with not_present, with or without a schedule', () => {
    const world = withRules({ schedule_id: given.scheduleId, presence: 'gps' });
    expect(checkedDecision(world, given.request({ time_trusted: false, access_method: 'online' }))).toBe('not_present');
  });

  it.each([
    [given.noon, 'grant'],
    [given.at('2026-06-03T22:00:00Z'), 'out_of_schedule'],
  ])('uses the clock if the profile says so: %i', (now, expected) => {
    const world = withRules({ schedule_id: given.scheduleId });
    expect(checkedDecision(world, given.request({ time_trusted: false, now }), 'use_clock')).toBe(expected);
  });

  it('does not trust a clock that returns NaN', () => {
    const broken = given.request({ now: instant(Number.NaN) });
    const world = withRules({ schedule_id: given.scheduleId });
    expect(summaryOf(decidePermission(accessDataSourceOf(world), broken))).toBe('time_untrusted');
    expect(summaryOf(new AccessIndex(world).decide(broken, 'use_clock'))).toBe('time_untrusted');
    expect(summaryOf(new AccessIndex(given.hotel()).decide(broken))).toBe('grant');
  });
});
