import type {
  Gadget,
  GroupAssociation,
  Member,
  MemberGroup,
  Schedule,
  Site,
} from '@lintel/access-core/access-data-types';
import { HOUR_MS } from '@lintel/access-core/durations';
import { instant } from '@lintel/access-core/instant';
import type { AccessDataSource } from '@lintel/access-core/permission/access-data-source-interface';
import { decidePermission } from '@lintel/access-core/permission/decide';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeActionAvailability } from './action-availability.ts';

const at = (text: string) => instant(Date.parse(text));
// A Monday, 12:00 in Madrid.
const now = at('2026-06-01T10:00:00Z');

const gadget = { id: 'gad_1', site_id: 'site_1', is_deleted: false, action_ids: ['open'] } as unknown as Gadget;
const siteWith = (geo: Site['geo']): Site =>
  ({ id: 'site_1', is_deleted: false, timezone: 'Europe/Madrid', geo }) as unknown as Site;
const geo = { location: { lat: 41.4, lng: 2.2 }, radius: 100 };

const everyDay = (id: string, ...hours: readonly (readonly [number, number])[]): Schedule =>
  ({
    id,
    is_deleted: false,
    weekdays: Array.from({ length: 7 }, () => ({
      ranges: hours.map(([start, end]) => ({ start: start * 3600, end: end * 3600 })),
    })),
  }) as unknown as Schedule;

interface Setup {
  readonly permissions?: readonly object[];
  readonly member?: Partial<Member>;
  readonly association?: Partial<GroupAssociation>;
  readonly schedules?: readonly Schedule[];
  readonly site?: Site;
}

const accessDataOf = (setup: Setup): AccessDataSource => {
  const association = { id: 'mga_1', member_group_id: 'mg_1', starts_at: null, ends_at: null, ...setup.association };
  const member = {
    id: 'mem_1',
    is_deleted: false,
    starts_at: null,
    ends_at: null,
    group_associations: [association],
    pins: [],
    cards: [],
    tokens: [],
    ...setup.member,
  } as unknown as Member;
  const group = { id: 'mg_1', is_deleted: false, permissions: setup.permissions ?? [{}] } as unknown as MemberGroup;
  return {
    member: id => (id === member.id ? member : undefined),
    memberGroup: id => (id === group.id ? group : undefined),
    schedule: id => setup.schedules?.find(schedule => schedule.id === id),
    gadget: id => (id === gadget.id ? gadget : undefined),
    site: () => setup.site ?? siteWith(geo),
  };
};

const action = { memberId: 'mem_1' as Member['id'], gadget, actionId: 'open' };
const availabilityOf = (setup: Setup, stepsLeft = 1000) =>
  computeActionAvailability(accessDataOf(setup), action, now, { stepsLeft });

describe('computeActionAvailability', () => {
  it('is null when no rule covers the action', () => {
    expect(availabilityOf({ permissions: [{ gadget_id: 'gad_2' }] })).toBeNull();
    expect(availabilityOf({ permissions: [{ action_id: 'close' }] })).toBeNull();
    expect(availabilityOf({ association: { ends_at: now } })).toBeNull();
  });

  it('is allowed when the action is permitted from anywhere', () => {
    expect(availabilityOf({ permissions: [{ presence: 'gps' }, {}] })).toEqual({
      is_allowed: true,
      needs_location: false,
      reason: null,
      allowed_from: null,
    });
  });

  it('is allowed on site when only presence is missing', () => {
    expect(availabilityOf({ permissions: [{ presence: 'gps' }] })).toMatchObject({
      is_allowed: true,
      needs_location: true,
    });
  });

  it('is denied when presence can never be proven', () => {
    const setup = { permissions: [{ presence: 'gps' }], site: siteWith(null) };
    expect(availabilityOf(setup)).toMatchObject({ is_allowed: false, reason: 'not_present', allowed_from: null });
  });

  it('returns the start of the member or of the association', () => {
    const start = at('2026-06-20T13:00:00Z');
    const soon = { is_allowed: false, allowed_from: start };
    expect(availabilityOf({ member: { starts_at: start } })).toMatchObject({ ...soon, reason: 'member_not_started' });
    expect(availabilityOf({ association: { starts_at: start } })).toMatchObject({ ...soon, reason: 'no_group' });
  });

  it('returns the first opening after the start, across inherited schedules', () => {
    const setup = {
      member: { starts_at: at('2026-06-20T20:00:00Z') },
      permissions: [{ schedule_id: 'sch_day' }],
      schedules: [everyDay('sch_day', [7, 19])],
    };
    expect(availabilityOf(setup)).toMatchObject({ allowed_from: at('2026-06-21T05:00:00Z') });
  });

  it('returns no time when there is no future opening', () => {
    const never = { permissions: [{ schedule_id: 'sch_never' }], schedules: [everyDay('sch_never')] };
    expect(availabilityOf(never)).toMatchObject({ reason: 'out_of_schedule', allowed_from: null });
    const gone = { ...never, schedules: [everyDay('sch_never', [7, 8])], member: { ends_at: instant(now + HOUR_MS) } };
    expect(availabilityOf(gone)).toMatchObject({ allowed_from: null });
    const method = { permissions: [{ access_methods: { pin: true } }] };
    expect(availabilityOf(method)).toMatchObject({ reason: 'method_not_allowed', allowed_from: null });
  });

  it('stops the search when the budget of the page is used up', () => {
    const setup = { member: { starts_at: at('2026-06-20T13:00:00Z') } };
    expect(availabilityOf(setup, 0)).toMatchObject({ reason: 'member_not_started', allowed_from: null });
  });

  it('returns the first time at which the door would open', () => {
    const hours = fc
      .uniqueArray(fc.integer({ min: 0, max: 24 }), { minLength: 2, maxLength: 2 })
      .map(pair => pair.sort((a, b) => a - b) as [number, number]);
    const start = fc.option(
      fc.integer({ min: -20, max: 60 }).map(offset => instant(now + offset * HOUR_MS)),
      { nil: null },
    );
    fc.assert(
      fc.property(hours, hours, start, start, (day, other, member, association) => {
        const setup: Setup = {
          permissions: [{ schedule_id: 'sch_a', presence: 'gps' }, { schedule_id: 'sch_b' }],
          schedules: [everyDay('sch_a', day), everyDay('sch_b', other)],
          member: { starts_at: member },
          association: { starts_at: association },
        };
        const accessData = accessDataOf(setup);
        const opensAt = (hour: number): boolean =>
          decidePermission(accessData, {
            member_id: action.memberId,
            gadget_id: gadget.id,
            action_id: 'open',
            access_method: 'online',
            now: instant(now + hour * HOUR_MS),
            time_trusted: true,
            location: geo.location,
          }).outcome === 'grant';
        const first = Array.from({ length: 24 * 7 }, (_, hour) => hour).find(opensAt);
        const availability = availabilityOf(setup);
        expect(availability?.is_allowed).toBe(first === 0);
        expect(availability?.allowed_from).toBe(first === 0 ? null : now + first! * HOUR_MS);
      }),
    );
  });
});
