import type {
  AccessMethod,
  AccessRequest,
  Gadget,
  GroupAssociation,
  Member,
  MemberGroup,
  PermissionRule,
  Schedule,
  Site,
} from '@lintel/access-core/access-data-types';
import { DAY_MS } from '@lintel/access-core/durations';
import { instant } from '@lintel/access-core/instant';
import { fakeDigest, makeId } from './fake-ids-and-digests.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

/* The data for every engine: 100 groups with two rules each, 50 gadgets at five sites, ten schedules. */

/** The week of all requests. It has no daylight saving change. */
const WEEK_START = Date.parse('2026-06-01T00:00:00Z');

const zones = ['Europe/Madrid', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland', 'Europe/London'];
const accessMethods: readonly AccessMethod[] = ['online', 'bluetooth', 'mobile_nfc', 'pin', 'card'];

export interface GeneratedHotel {
  readonly sites: readonly Site[];
  readonly gadgets: readonly Gadget[];
  readonly schedules: readonly Schedule[];
  readonly member_groups: readonly MemberGroup[];
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const makeSchedule = (random: SeededRandom): Schedule => ({
  id: makeId('schedule', random),
  is_deleted: false,
  weekdays: times(7, () => {
    const start = 6 * 3600 + random.below(4) * 1800;
    const lunch = 12 * 3600 + random.below(4) * 1800;
    return {
      ranges: [
        { start, end: lunch },
        { start: lunch + 3600, end: 19 * 3600 + random.below(8) * 1800 },
      ],
    };
  }),
});

const makeRule = (
  random: SeededRandom,
  { sites, gadgets, schedules }: Omit<GeneratedHotel, 'member_groups'>,
): PermissionRule => ({
  ...(random.chance(0.8)
    ? { gadget_id: random.pick(gadgets).id, action_id: 'open' }
    : { site_id: random.pick(sites).id }),
  ...(random.chance(0.6) ? { schedule_id: random.pick(schedules).id } : {}),
  ...(random.chance(0.6)
    ? { access_methods: Object.fromEntries(accessMethods.map(method => [method, random.chance(0.6)])) }
    : {}),
});

export const makeHotel = (): GeneratedHotel => {
  const random = new SeededRandom(1);
  const sites = zones.map(timezone => ({ id: makeId('site', random), is_deleted: false, timezone, geo: null }));
  const gadgets = times(50, index => ({
    id: makeId('gadget', random),
    site_id: sites[index % sites.length]!.id,
    is_deleted: false,
    action_ids: ['open'],
  }));
  const schedules = times(10, () => makeSchedule(random));
  const member_groups = times(100, () => ({
    id: makeId('member_group', random),
    is_deleted: false,
    permissions: times(2, () => makeRule(random, { sites, gadgets, schedules })),
  }));
  return { sites, gadgets, schedules, member_groups };
};

const makePin = (random: SeededRandom): Pick<Member, 'pins' | 'cards'> => {
  const digits = random.below(10 ** 8);
  return { pins: [{ id: makeId('member_pin', random), digest: fakeDigest(8, digits) }], cards: [] };
};

const makeCard = (random: SeededRandom): Pick<Member, 'pins' | 'cards'> => ({
  pins: [],
  cards: [{ id: makeId('member_card', random), digest: fakeDigest(random.below(2 ** 32), random.below(2 ** 32)) }],
});

const makeAssociation = (random: SeededRandom, { member_groups }: GeneratedHotel): GroupAssociation => ({
  id: makeId('member_group_association', random),
  member_group_id: random.pick(member_groups).id,
  starts_at: null,
  ends_at: random.chance(0.05) ? instant(WEEK_START + random.below(7 * DAY_MS)) : null,
});

/** Generates members one at a time, to save memory. Every second member is a guest with dates and a PIN. */
export function* makeMembers(hotel: GeneratedHotel, count: number): Generator<Member> {
  const random = new SeededRandom(2);
  for (let index = 0; index < count; index++) {
    const isGuest = index % 2 === 0;
    yield {
      id: makeId('member', random),
      is_deleted: random.chance(0.01),
      starts_at: isGuest ? instant(WEEK_START - random.below(7 * DAY_MS)) : null,
      ends_at: isGuest ? instant(WEEK_START + random.below(28 * DAY_MS)) : null,
      group_associations: times(3, () => makeAssociation(random, hotel)),
      ...(isGuest ? makePin(random) : makeCard(random)),
      tokens: [],
    };
  }
}

/** The groups of a member, to generate requests that may be granted. */
export interface MemberWithGroups {
  readonly id: Member['id'];
  readonly groups: readonly MemberGroup['id'][];
}

const likelyGadget = (
  random: SeededRandom,
  hotel: GeneratedHotel,
  groups: ReadonlyMap<string, MemberGroup>,
  requester: MemberWithGroups,
) => {
  const rule = random.pick(groups.get(random.pick(requester.groups))!.permissions);
  if (rule.gadget_id != null) return rule.gadget_id;
  return random.pick(hotel.gadgets.filter(({ site_id }) => site_id === rule.site_id)).id;
};

/** Two of three requests are for a door of the member's groups, the others for any door. */
export const makeRequests = (
  hotel: GeneratedHotel,
  requesters: readonly MemberWithGroups[],
  count: number,
): readonly AccessRequest[] => {
  const random = new SeededRandom(3);
  const groups = new Map<string, MemberGroup>(hotel.member_groups.map(group => [group.id, group]));
  return times(count, () => {
    const requester = random.pick(requesters);
    return {
      member_id: requester.id,
      gadget_id: random.chance(2 / 3) ? likelyGadget(random, hotel, groups, requester) : random.pick(hotel.gadgets).id,
      action_id: 'open',
      access_method: random.pick(accessMethods),
      now: instant(WEEK_START + random.below(7 * DAY_MS)),
      time_trusted: true,
    };
  });
};
