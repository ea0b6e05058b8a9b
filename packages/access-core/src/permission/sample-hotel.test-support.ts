import type {
  AccessRequest,
  Gadget,
  Member,
  MemberGroup,
  PermissionRule,
  Schedule,
  Site,
} from '../access-data-types.ts';
import type { GadgetId, GroupAssociationId, MemberGroupId, MemberId, ScheduleId, SiteId } from '../ids.ts';
import { type Instant, instant } from '../instant.ts';
import type { AccessData } from './reference-decide.test-support.ts';

/* One hotel, one door, and one guest in one group. Each test states how its case differs. */

export const parseSampleTime = (text: string): Instant => instant(Date.parse(text));

export const SAMPLE_SITE_ID = 'site_hotel' as SiteId;
export const SAMPLE_GADGET_ID = 'gad_door' as GadgetId;
export const SAMPLE_SCHEDULE_ID = 'sch_day' as ScheduleId;
export const SAMPLE_MEMBER_GROUP_ID = 'mg_guests' as MemberGroupId;
export const SAMPLE_MEMBER_ID = 'mem_ann' as MemberId;
export const SAMPLE_ASSOCIATION_ID = 'mga_ann_guests' as GroupAssociationId;

/** A Wednesday, 12:00 in Madrid. */
export const SAMPLE_NOON = parseSampleTime('2026-06-03T10:00:00Z');

const everyDay = (start: number, end: number) => Array.from({ length: 7 }, () => ({ ranges: [{ start, end }] }));

export const createSampleSite = (change: Partial<Site> = {}): Site => ({
  id: SAMPLE_SITE_ID,
  is_deleted: false,
  timezone: 'Europe/Madrid',
  geo: { location: { lat: 41.4, lng: 2.2 }, radius: 100 },
  ...change,
});

export const createSampleGadget = (change: Partial<Gadget> = {}): Gadget => ({
  id: SAMPLE_GADGET_ID,
  site_id: SAMPLE_SITE_ID,
  is_deleted: false,
  action_ids: ['open', 'close'],
  ...change,
});

/** 9:00 to 17:00, every day. */
export const createSampleSchedule = (change: Partial<Schedule> = {}): Schedule => ({
  id: SAMPLE_SCHEDULE_ID,
  is_deleted: false,
  weekdays: everyDay(9 * 3600, 17 * 3600),
  ...change,
});

export const createSampleMemberGroup = (
  permissions: readonly PermissionRule[],
  change: Partial<MemberGroup> = {},
): MemberGroup => ({
  id: SAMPLE_MEMBER_GROUP_ID,
  is_deleted: false,
  permissions,
  ...change,
});

export const createSampleAssociation = (change: Partial<Member['group_associations'][number]> = {}) => ({
  id: SAMPLE_ASSOCIATION_ID,
  member_group_id: SAMPLE_MEMBER_GROUP_ID,
  starts_at: null,
  ends_at: null,
  ...change,
});

export const createSampleMember = (change: Partial<Member> = {}): Member => ({
  id: SAMPLE_MEMBER_ID,
  is_deleted: false,
  starts_at: null,
  ends_at: null,
  group_associations: [createSampleAssociation()],
  pins: [],
  cards: [],
  tokens: [],
  ...change,
});

export const createSampleHotel = (change: Partial<AccessData> = {}): AccessData => ({
  sites: [createSampleSite()],
  gadgets: [createSampleGadget()],
  schedules: [createSampleSchedule()],
  member_groups: [createSampleMemberGroup([{}])],
  members: [createSampleMember()],
  ...change,
});

/** The guest enters a PIN at the door at noon. */
export const createSampleAccessRequest = (change: Partial<AccessRequest> = {}): AccessRequest => ({
  member_id: SAMPLE_MEMBER_ID,
  gadget_id: SAMPLE_GADGET_ID,
  action_id: 'open',
  access_method: 'pin',
  now: SAMPLE_NOON,
  time_trusted: true,
  ...change,
});
