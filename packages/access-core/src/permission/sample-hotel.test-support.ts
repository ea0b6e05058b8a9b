import type { AccessRequest, Gadget, Member, MemberGroup, PermissionRule, Schedule, Site } from '../access-model.ts';
import type { GadgetId, GroupAssociationId, MemberGroupId, MemberId, ScheduleId, SiteId } from '../ids.ts';
import { type Instant, instant } from '../instant.ts';
import type { AccessData } from './reference-decide.test-support.ts';

/* One hotel, one door, and one guest in one group. Each test states how its case differs. */

export const at = (text: string): Instant => instant(Date.parse(text));

export const siteId = 'site_hotel' as SiteId;
export const gadgetId = 'gad_door' as GadgetId;
export const scheduleId = 'sch_day' as ScheduleId;
export const groupId = 'mg_guests' as MemberGroupId;
export const memberId = 'mem_ann' as MemberId;
export const associationId = 'mga_ann_guests' as GroupAssociationId;

/** A Wednesday, 12:00 in Madrid. */
export const noon = at('2026-06-03T10:00:00Z');

const everyDay = (start: number, end: number) => Array.from({ length: 7 }, () => ({ ranges: [{ start, end }] }));

export const site = (change: Partial<Site> = {}): Site => ({
  id: siteId,
  is_deleted: false,
  timezone: 'Europe/Madrid',
  geo: { location: { lat: 41.4, lng: 2.2 }, radius: 100 },
  ...change,
});

export const gadget = (change: Partial<Gadget> = {}): Gadget => ({
  id: gadgetId,
  site_id: siteId,
  is_deleted: false,
  action_ids: ['open', 'close'],
  ...change,
});

/** 9:00 to 17:00, every day. */
export const schedule = (change: Partial<Schedule> = {}): Schedule => ({
  id: scheduleId,
  is_deleted: false,
  weekdays: everyDay(9 * 3600, 17 * 3600),
  ...change,
});

export const group = (permissions: readonly PermissionRule[], change: Partial<MemberGroup> = {}): MemberGroup => ({
  id: groupId,
  is_deleted: false,
  permissions,
  ...change,
});

export const association = (change: Partial<Member['group_associations'][number]> = {}) => ({
  id: associationId,
  member_group_id: groupId,
  starts_at: null,
  ends_at: null,
  ...change,
});

export const member = (change: Partial<Member> = {}): Member => ({
  id: memberId,
  is_deleted: false,
  starts_at: null,
  ends_at: null,
  group_associations: [association()],
  pins: [],
  cards: [],
  tokens: [],
  ...change,
});

export const hotel = (change: Partial<AccessData> = {}): AccessData => ({
  sites: [site()],
  gadgets: [gadget()],
  schedules: [schedule()],
  member_groups: [group([{}])],
  members: [member()],
  ...change,
});

/** The guest enters a PIN at the door at noon. */
export const request = (change: Partial<AccessRequest> = {}): AccessRequest => ({
  member_id: memberId,
  gadget_id: gadgetId,
  action_id: 'open',
  access_method: 'pin',
  now: noon,
  time_trusted: true,
  ...change,
});
