import * as given from './sample-hotel.test-support.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccessMethod, PermissionRule } from '../access-data-types.ts';
import { AccessIndex } from '../access-index/access-index.ts';
import type { GadgetId, GroupAssociationId, MemberGroupId, MemberId, ScheduleId, SiteId } from '../ids.ts';
import { instant } from '../instant.ts';
import {
  decideAndCompareImplementations,
  createHotelWithPermissionRules,
} from './compare-decision-implementations.test-support.ts';
import { createAccessDataSource } from './access-data-source.test-support.ts';
import { decidePermission } from './decide.ts';
import { decideByReference } from './reference-decide.test-support.ts';
import {
  arbitraryUntrustedTimePolicy,
  arbitraryAccessRequest,
  arbitraryAccessData,
} from './random-access-data.test-support.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

describe('decidePermission: missing objects', () => {
  it.each([
    ['an unknown gadget', given.createSampleHotel(), { gadget_id: 'gad_other' as GadgetId }, 'no such gadget'],
    [
      'a deleted gadget',
      given.createSampleHotel({ gadgets: [given.createSampleGadget({ is_deleted: true })] }),
      {},
      'no such gadget',
    ],
    [
      'a gadget of a deleted site',
      given.createSampleHotel({ sites: [given.createSampleSite({ is_deleted: true })] }),
      {},
      'no such gadget',
    ],
    ['a gadget of a missing site', given.createSampleHotel({ sites: [] }), {}, 'no such gadget'],
    ['an action that the gadget lacks', given.createSampleHotel(), { action_id: 'explode' }, 'no such action'],
    ['an unknown member', given.createSampleHotel(), { member_id: 'mem_other' as MemberId }, 'no such member'],
  ])('reports not_found: %s', (_, world, change, expected) => {
    expect(decideAndCompareImplementations(world, given.createSampleAccessRequest(change))).toBe(expected);
  });

  it('reports a missing action before a deleted member', () => {
    const world = given.createSampleHotel({ members: [given.createSampleMember({ is_deleted: true })] });
    expect(decideAndCompareImplementations(world, given.createSampleAccessRequest({ action_id: 'explode' }))).toBe(
      'no such action',
    );
  });
});

describe('decidePermission: member validity', () => {
  const validFrom = given.parseSampleTime('2026-06-03T10:00:00.000Z');
  const world = given.createSampleHotel({
    members: [given.createSampleMember({ starts_at: validFrom, ends_at: instant(validFrom + 1000) })],
  });

  it.each([
    [-1, 'member_not_started'],
    [0, 'grant'],
    [999, 'grant'],
    [1000, 'member_ended'],
  ])('%i ms after the start of a validity of one second: %s', (offset, expected) => {
    expect(
      decideAndCompareImplementations(world, given.createSampleAccessRequest({ now: instant(validFrom + offset) })),
    ).toBe(expected);
  });

  it('denies a deleted member, whatever the dates', () => {
    const deleted = given.createSampleMember({ is_deleted: true, ends_at: instant(0) });
    expect(
      decideAndCompareImplementations(
        given.createSampleHotel({ members: [deleted] }),
        given.createSampleAccessRequest(),
      ),
    ).toBe('member_deleted');
  });

  it('denies a member without associations with no_group', () => {
    const world = given.createSampleHotel({ members: [given.createSampleMember({ group_associations: [] })] });
    expect(decideAndCompareImplementations(world, given.createSampleAccessRequest())).toBe('no_group');
  });
});

describe('decidePermission: group associations', () => {
  const withAssociation = (change: Parameters<typeof given.createSampleAssociation>[0]) =>
    given.createSampleHotel({
      members: [given.createSampleMember({ group_associations: [given.createSampleAssociation(change)] })],
    });

  it.each([
    ['not begun', { starts_at: instant(given.SAMPLE_NOON + 1) }, 'no_group'],
    ['just begun', { starts_at: given.SAMPLE_NOON }, 'grant'],
    ['in its last millisecond', { ends_at: instant(given.SAMPLE_NOON + 1) }, 'grant'],
    ['just over', { ends_at: given.SAMPLE_NOON }, 'no_group'],
    ['with a missing group', { member_group_id: 'mg_other' as MemberGroupId }, 'no_group'],
  ])('%s: %s', (_, change, expected) => {
    expect(decideAndCompareImplementations(withAssociation(change), given.createSampleAccessRequest())).toBe(expected);
  });

  it('ignores an association with a deleted group', () => {
    const world = given.createSampleHotel({
      member_groups: [given.createSampleMemberGroup([{}], { is_deleted: true })],
    });
    expect(decideAndCompareImplementations(world, given.createSampleAccessRequest())).toBe('no_group');
  });

  it("names the first granting association in the member's order, and its rule", () => {
    const other = 'mg_other' as MemberGroupId;
    const second = 'mga_second' as GroupAssociationId;
    const world = given.createSampleHotel({
      member_groups: [
        given.createSampleMemberGroup([{ action_id: 'close' }]),
        given.createSampleMemberGroup([{ action_id: 'close' }, {}, {}], { id: other }),
      ],
      members: [
        given.createSampleMember({
          group_associations: [
            given.createSampleAssociation(),
            given.createSampleAssociation({ id: second, member_group_id: other }),
          ],
        }),
      ],
    });
    const expected = { outcome: 'grant', association_id: second, rule: { member_group_id: other, path: [1] } };
    expect(new AccessIndex(world).decide(given.createSampleAccessRequest())).toEqual(expected);
    expect(decideAndCompareImplementations(world, given.createSampleAccessRequest())).toBe('grant');
  });
});

describe('decidePermission: target of a rule', () => {
  it.each<[string, PermissionRule, string]>([
    ['nothing set matches every gadget', {}, 'grant'],
    ['nulls are not set', { site_id: null, gadget_id: null, action_id: null, access_methods: null }, 'grant'],
    ['its site', { site_id: given.SAMPLE_SITE_ID }, 'grant'],
    ['its gadget', { gadget_id: given.SAMPLE_GADGET_ID }, 'grant'],
    ['its action', { gadget_id: given.SAMPLE_GADGET_ID, action_id: 'open' }, 'grant'],
    ['another action', { gadget_id: given.SAMPLE_GADGET_ID, action_id: 'close' }, 'no_matching_rule'],
  ])('%s', (_, rule, expected) => {
    expect(
      decideAndCompareImplementations(createHotelWithPermissionRules(rule), given.createSampleAccessRequest()),
    ).toBe(expected);
  });

  it('does not match another gadget or site', () => {
    const otherSite = given.createSampleSite({ id: 'site_other' as SiteId });
    const otherGadget = given.createSampleGadget({ id: 'gad_other' as GadgetId, site_id: otherSite.id });
    const world = (rule: PermissionRule) => ({
      ...createHotelWithPermissionRules(rule),
      sites: [given.createSampleSite(), otherSite],
      gadgets: [given.createSampleGadget(), otherGadget],
    });
    expect(
      decideAndCompareImplementations(world({ gadget_id: otherGadget.id }), given.createSampleAccessRequest()),
    ).toBe('no_matching_rule');
    expect(decideAndCompareImplementations(world({ site_id: otherSite.id }), given.createSampleAccessRequest())).toBe(
      'no_matching_rule',
    );
  });
});

describe('decidePermission: rules that refer to missing objects are dropped before the first filter', () => {
  const otherGroup = 'mg_other' as MemberGroupId;
  it.each<[string, PermissionRule]>([
    ['a missing schedule', { schedule_id: 'sch_other' as ScheduleId }],
    ['a missing gadget', { gadget_id: 'gad_other' as GadgetId }],
    ['a missing site', { site_id: 'site_other' as SiteId }],
    ['a missing group', { member_group_id: otherGroup }],
  ])('%s', (_, rule) => {
    expect(
      decideAndCompareImplementations(createHotelWithPermissionRules(rule), given.createSampleAccessRequest()),
    ).toBe('no_matching_rule');
  });

  it('a deleted schedule, even with a method that would not be allowed', () => {
    const world = {
      ...createHotelWithPermissionRules({ schedule_id: given.SAMPLE_SCHEDULE_ID, access_methods: {} }),
      schedules: [given.createSampleSchedule({ is_deleted: true })],
    };
    expect(decideAndCompareImplementations(world, given.createSampleAccessRequest())).toBe('no_matching_rule');
  });

  it('a deleted group, or a missing schedule of an inherited rule', () => {
    const inherits = given.createSampleMemberGroup([{ member_group_id: otherGroup }]);
    const deleted = given.createSampleMemberGroup([{}], { id: otherGroup, is_deleted: true });
    const broken = given.createSampleMemberGroup([{ schedule_id: 'sch_other' as ScheduleId }], { id: otherGroup });
    expect(
      decideAndCompareImplementations(
        given.createSampleHotel({ member_groups: [inherits, deleted] }),
        given.createSampleAccessRequest(),
      ),
    ).toBe('no_matching_rule');
    expect(
      decideAndCompareImplementations(
        given.createSampleHotel({ member_groups: [inherits, broken] }),
        given.createSampleAccessRequest(),
      ),
    ).toBe('no_matching_rule');
  });
});

describe('decidePermission: access methods', () => {
  const methods: AccessMethod[] = ['online', 'bluetooth', 'mobile_nfc', 'pin', 'card'];

  it.each(methods)('allows %s and nothing else when only that is enabled', method => {
    const world = createHotelWithPermissionRules({ access_methods: { [method]: true } });
    const answers = methods.map(access_method =>
      decideAndCompareImplementations(world, given.createSampleAccessRequest({ access_method })),
    );
    expect(answers).toEqual(methods.map(other => (other === method ? 'grant' : 'method_not_allowed')));
  });

  it('allows nothing when the set is empty', () => {
    expect(
      decideAndCompareImplementations(
        createHotelWithPermissionRules({ access_methods: {} }),
        given.createSampleAccessRequest(),
      ),
    ).toBe('method_not_allowed');
  });
});

describe('decidePermission: schedules', () => {
  const scheduled = createHotelWithPermissionRules({ schedule_id: given.SAMPLE_SCHEDULE_ID });

  it.each([
    ['08:59:59.999 in Madrid', '2026-06-03T06:59:59.999Z', 'out_of_schedule'],
    ['09:00:00.000 in Madrid', '2026-06-03T07:00:00.000Z', 'grant'],
    ['16:59:59.999 in Madrid', '2026-06-03T14:59:59.999Z', 'grant'],
    ['17:00:00.000 in Madrid', '2026-06-03T15:00:00.000Z', 'out_of_schedule'],
    ['09:00 in winter', '2026-12-02T08:00:00.000Z', 'grant'],
  ])('from 9:00 to 17:00, at %s', (_, now, expected) => {
    expect(
      decideAndCompareImplementations(scheduled, given.createSampleAccessRequest({ now: given.parseSampleTime(now) })),
    ).toBe(expected);
  });

  it.each([null, 'Nowhere/Atlantis'])(
    'denies everything at a site with time zone %s, with or without a trusted clock',
    timezone => {
      const world = { ...scheduled, sites: [given.createSampleSite({ timezone })] };
      expect(decideAndCompareImplementations(world, given.createSampleAccessRequest())).toBe('out_of_schedule');
      expect(decideAndCompareImplementations(world, given.createSampleAccessRequest({ time_trusted: false }))).toBe(
        'out_of_schedule',
      );
    },
  );
});

describe('decidePermission: presence', () => {
  const present = createHotelWithPermissionRules({ presence: 'gps' });
  const online = (lat: number, lng: number) =>
    given.createSampleAccessRequest({ access_method: 'online', location: { lat, lng } });

  it.each<AccessMethod>(['bluetooth', 'mobile_nfc', 'pin', 'card'])('needs no location for %s', access_method => {
    expect(
      decideAndCompareImplementations(
        { ...present, sites: [given.createSampleSite({ geo: null })] },
        given.createSampleAccessRequest({ access_method }),
      ),
    ).toBe('grant');
  });

  it('needs no location for an online credential that is presented at a reader', () => {
    const request = given.createSampleAccessRequest({ access_method: 'online', is_at_reader: true });
    expect(
      decideAndCompareImplementations({ ...present, sites: [given.createSampleSite({ geo: null })] }, request),
    ).toBe('grant');
  });

  it('compares the distance to the site for online requests: 89 m is within 100 m, 111 m is not', () => {
    expect(decideAndCompareImplementations(present, online(41.4008, 2.2))).toBe('grant');
    expect(decideAndCompareImplementations(present, online(41.401, 2.2))).toBe('not_present');
  });

  it('includes the exact radius, and works across the date line', () => {
    const oneDegree = (6_371_008.8 * Math.PI) / 180;
    const equator = (radius: number) => ({
      ...present,
      sites: [given.createSampleSite({ geo: { location: { lat: 0, lng: 179.5 }, radius } })],
    });
    expect(decideAndCompareImplementations(equator(oneDegree + 0.001), online(0, -179.5))).toBe('grant');
    expect(decideAndCompareImplementations(equator(oneDegree - 0.001), online(0, -179.5))).toBe('not_present');
    const here = {
      ...present,
      sites: [given.createSampleSite({ geo: { location: { lat: 41.4, lng: 2.2 }, radius: 0 } })],
    };
    expect(decideAndCompareImplementations(here, online(41.4, 2.2))).toBe('grant');
  });

  it.each([
    ['no location', present, given.createSampleAccessRequest({ access_method: 'online' })],
    ['a location of NaN', present, online(Number.NaN, 2.2)],
    ['a site without geo', { ...present, sites: [given.createSampleSite({ geo: null })] }, online(41.4, 2.2)],
  ])('denies with %s', (_, world, request) => {
    expect(decideAndCompareImplementations(world, request)).toBe('not_present');
  });

  it('is not required by "none"', () => {
    expect(
      decideAndCompareImplementations(
        createHotelWithPermissionRules({ presence: 'none' }),
        given.createSampleAccessRequest({ access_method: 'online' }),
      ),
    ).toBe('grant');
  });
});

describe('decidePermission: the reason is the first filter that leaves no rule', () => {
  const wrongTarget = { gadget_id: given.SAMPLE_GADGET_ID, action_id: 'close' };
  const wrongMethod = { access_methods: { card: true } };
  const wrongTime = { schedule_id: given.SAMPLE_SCHEDULE_ID };
  const away: PermissionRule = { presence: 'gps' };
  const night = given.parseSampleTime('2026-06-03T22:00:00Z');

  it.each<[string, PermissionRule[], string]>([
    ['a rule for another action and one for another method', [wrongTarget, wrongMethod], 'method_not_allowed'],
    ['one for another method and one for another time', [wrongMethod, wrongTime], 'out_of_schedule'],
    ['one for another time and one that asks for presence', [away, wrongTime], 'not_present'],
    ['both in one rule: the earlier filter', [{ ...wrongMethod, ...wrongTime }], 'method_not_allowed'],
    ['time before presence in one rule', [{ ...wrongTime, ...away }], 'out_of_schedule'],
  ])('%s', (_, rules, expected) => {
    expect(
      decideAndCompareImplementations(
        createHotelWithPermissionRules(...rules),
        given.createSampleAccessRequest({ access_method: 'online', now: night }),
      ),
    ).toBe(expected);
  });
});

describe('decidePermission on random data', () => {
  it('agrees with the reference implementation, including rule and association', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(
        arbitraryAccessData,
        fc.array(arbitraryAccessRequest, { minLength: 1, maxLength: 12 }),
        arbitraryUntrustedTimePolicy,
        (world, all, policy) => {
          for (const request of all) {
            const decision = decidePermission(createAccessDataSource(world), request, policy);
            expect(decision).toEqual(decideByReference(world, request, policy));
            outcomes.add(decision.outcome === 'deny' ? decision.reason : decision.outcome);
          }
        },
      ),
      { numRuns: iterations({ sample: 800, all: 1_500 }) },
    );
    // 9 reasons, grant and not_found: each has to be covered.
    expect(outcomes.size).toBe(11);
  });
});
