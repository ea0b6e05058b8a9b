import { describe, expect, it } from 'vitest';
import { AccessIndex } from '../access-index/access-index.ts';
import type { MemberGroupId } from '../ids.ts';
import { instant } from '../instant.ts';
import {
  decideAndCompareImplementations,
  summarizeDecision,
  createHotelWithPermissionRules,
} from './compare-decision-implementations.test-support.ts';
import { decidePermission } from './decide.ts';
import * as given from './sample-hotel.test-support.ts';
import type { AccessData } from './reference-decide.test-support.ts';
import { createAccessDataSource } from './access-data-source.test-support.ts';

describe('decidePermission while the time is untrusted', () => {
  const untrusted = given.createSampleAccessRequest({ time_trusted: false });
  const limited = [
    ['the member has a start', { members: [given.createSampleMember({ starts_at: instant(0) })] }],
    [
      'the member has an end',
      { members: [given.createSampleMember({ ends_at: given.parseSampleTime('2030-01-01T00:00:00Z') })] },
    ],
    [
      'the association has an end',
      {
        members: [
          given.createSampleMember({ group_associations: [given.createSampleAssociation({ ends_at: instant(1) })] }),
        ],
      },
    ],
    [
      'the rule has a schedule',
      { member_groups: [given.createSampleMemberGroup([{ schedule_id: given.SAMPLE_SCHEDULE_ID }])] },
    ],
  ] as const;

  it('grants by a path without time limits', () => {
    expect(decideAndCompareImplementations(given.createSampleHotel(), untrusted)).toBe('grant');
  });

  it.each(limited)('denies with time_untrusted when %s', (_, change) => {
    expect(decideAndCompareImplementations(given.createSampleHotel(change), untrusted)).toBe('time_untrusted');
  });

  it('applies the schedule of an inheriting rule to the inherited rules', () => {
    const staff = 'mg_staff' as MemberGroupId;
    const rules = [{ schedule_id: given.SAMPLE_SCHEDULE_ID, member_group_id: staff }];
    const world = given.createSampleHotel({
      member_groups: [given.createSampleMemberGroup(rules), given.createSampleMemberGroup([{}], { id: staff })],
    });
    expect(decideAndCompareImplementations(world, untrusted)).toBe('time_untrusted');
  });

  it('grants if at least one path has no time limit', () => {
    expect(
      decideAndCompareImplementations(
        createHotelWithPermissionRules({ schedule_id: given.SAMPLE_SCHEDULE_ID }, {}),
        untrusted,
      ),
    ).toBe('grant');
  });

  it.each<[string, AccessData, string]>([
    [
      'deleted',
      given.createSampleHotel({ members: [given.createSampleMember({ is_deleted: true, ends_at: instant(0) })] }),
      'member_deleted',
    ],
    [
      'in no group at all',
      given.createSampleHotel({ members: [given.createSampleMember({ ends_at: instant(0), group_associations: [] })] }),
      'no_group',
    ],
    [
      'without a rule for the action',
      createHotelWithPermissionRules({
        gadget_id: given.SAMPLE_GADGET_ID,
        action_id: 'close',
        schedule_id: given.SAMPLE_SCHEDULE_ID,
      }),
      'no_matching_rule',
    ],
    [
      'without a rule for the method',
      createHotelWithPermissionRules({ access_methods: { card: true }, schedule_id: given.SAMPLE_SCHEDULE_ID }),
      'method_not_allowed',
    ],
  ])('reports the actual reason if a correct time would not help: %s', (_, world, expected) => {
    expect(decideAndCompareImplementations(world, untrusted)).toBe(expected);
  });

  it('denies an absent member with not_present, with or without a schedule', () => {
    const world = createHotelWithPermissionRules({ schedule_id: given.SAMPLE_SCHEDULE_ID, presence: 'gps' });
    expect(
      decideAndCompareImplementations(
        world,
        given.createSampleAccessRequest({ time_trusted: false, access_method: 'online' }),
      ),
    ).toBe('not_present');
  });

  it.each([
    [given.SAMPLE_NOON, 'grant'],
    [given.parseSampleTime('2026-06-03T22:00:00Z'), 'out_of_schedule'],
  ])('uses the clock if the profile says so: %i', (now, expected) => {
    const world = createHotelWithPermissionRules({ schedule_id: given.SAMPLE_SCHEDULE_ID });
    expect(
      decideAndCompareImplementations(
        world,
        given.createSampleAccessRequest({ time_trusted: false, now }),
        'use_clock',
      ),
    ).toBe(expected);
  });

  it('does not trust a clock that returns NaN', () => {
    const broken = given.createSampleAccessRequest({ now: instant(Number.NaN) });
    const world = createHotelWithPermissionRules({ schedule_id: given.SAMPLE_SCHEDULE_ID });
    expect(summarizeDecision(decidePermission(createAccessDataSource(world), broken))).toBe('time_untrusted');
    expect(summarizeDecision(new AccessIndex(world).decide(broken, 'use_clock'))).toBe('time_untrusted');
    expect(summarizeDecision(new AccessIndex(given.createSampleHotel()).decide(broken))).toBe('grant');
  });
});
