import * as fc from 'fast-check';
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
} from '../access-data-types.ts';
import type {
  GadgetId,
  GroupAssociationId,
  MemberCardId,
  MemberMagicLinkId,
  MemberGroupId,
  MemberId,
  MemberPinId,
  MemberTokenId,
  ScheduleId,
  SiteId,
} from '../ids.ts';
import { type Instant, instant } from '../instant.ts';

/* Small data sets with many collisions: few ids, some of them unused, and times on each other's boundaries. */

const ulid = (last: string): string => `01k9zq3v5b7t9ynq2m4r6s8w${last.padStart(2, '0')}`;

export const sampleSiteIds = ['site_a', `site_${ulid('1')}`] as SiteId[];
export const sampleGadgetIds = [`gad_${ulid('1')}`, 'gad_b', `gad_${ulid('3')}`] as GadgetId[];
export const sampleScheduleIds = ['sch_day', `sch_${ulid('2')}`, 'sch_gone'] as ScheduleId[];
export const sampleMemberGroupIds = [
  `mg_${ulid('1')}`,
  `mg_${ulid('2')}`,
  'mg_c',
  `mg_${ulid('4')}`,
  'mg_e',
] as MemberGroupId[];
export const sampleMemberIds = [
  `mem_${ulid('1')}`,
  `mem_${ulid('2')}`,
  'mem_odd',
  `mem_${ulid('4').toUpperCase()}`,
] as MemberId[];
/** Never used by any object. */
const noGadget = 'gad_nobody' as GadgetId;
const noMember = `mem_${ulid('99')}` as MemberId;

export const sampleCredentialDigests = [
  '00ff',
  'c0ffee'.padEnd(64, '0'),
  'c0ffee'.padEnd(64, '1'),
  'not hex at all',
  '',
];

const actions = ['open', 'close'];
const methods: AccessMethod[] = ['online', 'bluetooth', 'mobile_nfc', 'pin', 'card'];

/** Around the night in which Madrid's clocks go from 02:00 to 03:00, and the following noon. */
const moments = [
  '2026-03-29T00:59:59.999Z',
  '2026-03-29T01:00:00.000Z',
  '2026-03-29T10:00:00.000Z',
  '2026-03-30T03:59:59.000Z',
]
  .map(text => Date.parse(text))
  .map(instant);

const rarely = fc.constantFrom(true, ...Array.from({ length: 24 }, () => false));
const usually = <T>(arbitrary: fc.Arbitrary<T>, other: T): fc.Arbitrary<T> =>
  fc.oneof({ weight: 30, arbitrary }, fc.constant(other));
const moment = fc.constantFrom(...moments);
const bound: fc.Arbitrary<Instant | null> = fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, moment);
const unset = <T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | null> =>
  fc.oneof({ weight, arbitrary }, { weight: 3, arbitrary: fc.constant(null) });

const place = fc.constantFrom(
  { lat: 41.4, lng: 2.2 },
  { lat: 41.4005, lng: 2.2 },
  { lat: 40, lng: 179.9999 },
  { lat: 40, lng: -179.9999 },
);

export const arbitrarySite = (id: SiteId): fc.Arbitrary<Site> =>
  fc.record({
    id: fc.constant(id),
    is_deleted: rarely,
    timezone: fc.constantFrom('Europe/Madrid', 'America/New_York', 'Europe/Madrid', null, 'Not/AZone'),
    geo: unset(fc.record({ location: place, radius: fc.constantFrom(0, 50, 100) }), 4),
  });

export const arbitraryGadget = (id: GadgetId): fc.Arbitrary<Gadget> =>
  fc.record({
    id: fc.constant(id),
    site_id: fc.constantFrom(...sampleSiteIds),
    is_deleted: rarely,
    action_ids: fc.oneof({ weight: 9, arbitrary: fc.constant(actions) }, fc.subarray(actions)),
  });

const ranges = fc.constantFrom(
  [],
  [{ start: 0, end: 86_400 }],
  [
    { start: 7200, end: 10_800 },
    { start: 43_200, end: 50_000 },
  ],
  [{ start: 0, end: 21_599 }],
);

export const arbitrarySchedule = (id: ScheduleId): fc.Arbitrary<Schedule> =>
  fc.record({
    id: fc.constant(id),
    is_deleted: rarely,
    weekdays: fc.array(fc.record({ ranges }), { minLength: 7, maxLength: 7 }),
  });

export const arbitraryPermissionRule: fc.Arbitrary<PermissionRule> = fc.record(
  {
    site_id: unset(fc.constantFrom(...sampleSiteIds)),
    gadget_id: unset(fc.constantFrom(...sampleGadgetIds, noGadget)),
    action_id: unset(fc.constantFrom(...actions)),
    schedule_id: unset(fc.constantFrom(...sampleScheduleIds)),
    presence: fc.constantFrom('none', 'gps', null, null),
    access_methods: unset(
      fc.record(Object.fromEntries(methods.map(method => [method, fc.boolean()])), { requiredKeys: [] }),
    ),
    member_group_id: unset(fc.constantFrom(...sampleMemberGroupIds), 2),
  },
  { requiredKeys: [] },
);

export const arbitraryMemberGroup = (id: MemberGroupId): fc.Arbitrary<MemberGroup> =>
  fc.record({
    id: fc.constant(id),
    is_deleted: rarely,
    permissions: fc.array(arbitraryPermissionRule, { maxLength: 4 }),
  });

const associationId = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean())
  .map(([letter, packed]) => `mga_${packed ? ulid(letter) : letter}` as GroupAssociationId);

const associations: fc.Arbitrary<GroupAssociation> = fc.record({
  id: associationId,
  member_group_id: fc.constantFrom(...sampleMemberGroupIds),
  starts_at: bound,
  ends_at: bound,
});

const digest = fc.constantFrom(...sampleCredentialDigests);
const credentialSuffix = fc.constantFrom('x', ulid('7'), ulid('8'));

export const arbitraryMember = (id: MemberId): fc.Arbitrary<Member> =>
  fc.record({
    id: fc.constant(id),
    is_deleted: rarely,
    starts_at: bound,
    ends_at: bound,
    group_associations: fc.oneof(
      { weight: 5, arbitrary: fc.array(associations, { maxLength: 3 }) },
      fc.array(associations, { minLength: 5, maxLength: 8 }),
    ),
    pins: fc.array(
      fc.record(
        {
          id: credentialSuffix.map(suffix => `mp_${suffix}` as MemberPinId),
          digest,
          extended: fc.constant(true as const),
        },
        { requiredKeys: ['id', 'digest'] },
      ),
      { maxLength: 2 },
    ),
    cards: fc.array(fc.record({ id: credentialSuffix.map(suffix => `mc_${suffix}` as MemberCardId), digest }), {
      maxLength: 2,
    }),
    tokens: fc.array(
      fc.record({ id: credentialSuffix.map(suffix => `mt_${suffix}` as MemberTokenId), public_key: digest }),
      {
        maxLength: 1,
      },
    ),
    magic_links: fc.array(
      fc.record({ id: credentialSuffix.map(suffix => `mml_${suffix}` as MemberMagicLinkId), digest }),
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
  });

/** Most of the objects. The ones left out are missing for those that refer to them. */
const some = <Id, T>(ids: readonly Id[], make: (id: Id) => fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc
    .tuple(...ids.map(id => fc.tuple(make(id), rarely)))
    .map(all => all.filter(([, missing]) => !missing).map(([object]) => object));

export const arbitraryAccessData = fc.record({
  sites: some(sampleSiteIds, arbitrarySite),
  gadgets: some(sampleGadgetIds, arbitraryGadget),
  schedules: some(sampleScheduleIds, arbitrarySchedule),
  member_groups: some(sampleMemberGroupIds, arbitraryMemberGroup),
  members: some(sampleMemberIds, arbitraryMember),
});

export const arbitraryAccessRequest: fc.Arbitrary<AccessRequest> = fc.record(
  {
    member_id: usually(fc.constantFrom(...sampleMemberIds), noMember),
    gadget_id: usually(fc.constantFrom(...sampleGadgetIds), noGadget),
    action_id: usually(fc.constantFrom(...actions), 'explode'),
    access_method: fc.constantFrom(...methods),
    now: moment,
    time_trusted: fc.boolean(),
    location: unset(place, 3),
    is_at_reader: fc.boolean(),
  },
  { requiredKeys: ['member_id', 'gadget_id', 'action_id', 'access_method', 'now', 'time_trusted'] },
);

export const arbitraryUntrustedTimePolicy = fc.constantFrom('refuse' as const, 'refuse' as const, 'use_clock' as const);
