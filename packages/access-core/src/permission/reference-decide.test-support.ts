import type {
  AccessRequest,
  Gadget,
  SiteLocation,
  Member,
  MemberGroup,
  PermissionDenialReason,
  PermissionRule,
  Schedule,
  Site,
  Validity,
} from '../access-data-types.ts';

/*
 * A second, independent implementation of the permission calculation for tests: it expands every chain of rules, takes
 * local time from Intl and computes distances with vectors. Slow, and unsuitable for deep inheritance.
 */

export interface AccessData {
  readonly sites: readonly Site[];
  readonly gadgets: readonly Gadget[];
  readonly schedules: readonly Schedule[];
  readonly member_groups: readonly MemberGroup[];
  readonly members: readonly Member[];
}

export type ReferenceDecision =
  | { outcome: 'grant'; association_id: string; rule: { member_group_id: string; path: number[] } }
  | { outcome: 'deny'; reason: PermissionDenialReason }
  | { outcome: 'not_found'; missing: 'gadget' | 'action' | 'member' };

interface Chain {
  readonly path: number[];
  readonly rules: PermissionRule[];
}

const living = <T extends { readonly id: string; readonly is_deleted: boolean }>(all: readonly T[], id: string) =>
  all.find(one => one.id === id && !one.is_deleted);

const refersToGone = (world: AccessData, rule: PermissionRule): boolean => {
  const references = [
    [rule.site_id, world.sites],
    [rule.gadget_id, world.gadgets],
    [rule.schedule_id, world.schedules],
    [rule.member_group_id, world.member_groups],
  ] as const;
  return references.some(
    ([id, all]) => typeof id === 'string' && living<{ id: string; is_deleted: boolean }>(all, id) === undefined,
  );
};

const chainsOf = (world: AccessData, groupId: string, above: readonly string[]): Chain[] => {
  const group = living(world.member_groups, groupId);
  if (group === undefined || above.includes(groupId)) return [];
  const chains: Chain[] = [];
  for (let index = 0; index < group.permissions.length; index++) {
    const rule = group.permissions[index]!;
    if (refersToGone(world, rule)) continue;
    const parent = rule.member_group_id;
    if (typeof parent !== 'string') chains.push({ path: [index], rules: [rule] });
    else {
      for (const chain of chainsOf(world, parent, [...above, groupId])) {
        chains.push({ path: [index, ...chain.path], rules: [rule, ...chain.rules] });
      }
    }
  }
  return chains;
};

const weekdayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const clocks = new Map<string, Intl.DateTimeFormat | null>();

const clockOf = (site: Site): Intl.DateTimeFormat | null => {
  const name = site.timezone ?? '';
  if (!clocks.has(name)) {
    try {
      const fields = { weekday: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
      clocks.set(
        name,
        name === '' ? null : new Intl.DateTimeFormat('en', { timeZone: name, hourCycle: 'h23', ...fields }),
      );
    } catch {
      clocks.set(name, null);
    }
  }
  return clocks.get(name) ?? null;
};

const scheduleHolds = (schedule: Schedule, clock: Intl.DateTimeFormat, now: number): boolean => {
  const parts = Object.fromEntries(clock.formatToParts(now).map(({ type, value }) => [type, value]));
  const day = schedule.weekdays[weekdayNames.indexOf(parts['weekday'] ?? '')];
  const second = Number(parts['hour']) * 3600 + Number(parts['minute']) * 60 + Number(parts['second']);
  return day?.ranges.some(({ start, end }) => start <= second && second < end) ?? false;
};

const unit = ({ lat, lng }: SiteLocation): [number, number, number] => {
  const [phi, lambda] = [(lat / 180) * Math.PI, (lng / 180) * Math.PI];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
};

const metresBetween = (from: SiteLocation, to: SiteLocation): number => {
  const [a, b] = [unit(from), unit(to)];
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  return 6_371_008.8 * Math.atan2(Math.hypot(...cross), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
};

const present = (site: Site, request: AccessRequest): boolean =>
  request.access_method !== 'online' ||
  request.is_at_reader === true ||
  (site.geo !== null &&
    request.location !== undefined &&
    request.location !== null &&
    metresBetween(request.location, site.geo.location) <= site.geo.radius);

const hasLimit = (validity: Validity): boolean => validity.starts_at !== null || validity.ends_at !== null;
const started = ({ starts_at }: Validity, now: number): boolean => starts_at === null || starts_at <= now;
const over = ({ ends_at }: Validity, now: number): boolean => ends_at !== null && ends_at <= now;

export const decideByReference = (
  world: AccessData,
  request: AccessRequest,
  untrusted: 'refuse' | 'use_clock' = 'refuse',
): ReferenceDecision => {
  const deny = (reason: PermissionDenialReason): ReferenceDecision => ({ outcome: 'deny', reason });
  const gadget = living(world.gadgets, request.gadget_id);
  const site = gadget && living(world.sites, gadget.site_id);
  if (gadget === undefined || site === undefined) return { outcome: 'not_found', missing: 'gadget' };
  if (!gadget.action_ids.includes(request.action_id)) return { outcome: 'not_found', missing: 'action' };
  const member = world.members.find(({ id }) => id === request.member_id);
  if (member === undefined) return { outcome: 'not_found', missing: 'member' };

  const { now } = request;
  const timeless = !request.time_trusted && untrusted === 'refuse';
  if (member.is_deleted) return deny('member_deleted');
  if (!timeless && !started(member, now)) return deny('member_not_started');
  if (!timeless && over(member, now)) return deny('member_ended');

  const associations = member.group_associations.filter(
    association =>
      living(world.member_groups, association.member_group_id) !== undefined &&
      (timeless || (started(association, now) && !over(association, now))),
  );
  if (associations.length === 0) return deny('no_group');

  const paths = associations.flatMap(association =>
    chainsOf(world, association.member_group_id, []).map(chain => ({ association, ...chain })),
  );
  const onTarget = paths.filter(({ rules }) =>
    rules.every(
      rule =>
        [undefined, null, site.id].includes(rule.site_id) &&
        [undefined, null, gadget.id].includes(rule.gadget_id) &&
        [undefined, null, request.action_id].includes(rule.action_id),
    ),
  );
  if (onTarget.length === 0) return deny('no_matching_rule');
  const byMethod = onTarget.filter(({ rules }) =>
    rules.every(rule => !rule.access_methods || rule.access_methods[request.access_method] === true),
  );
  if (byMethod.length === 0) return deny('method_not_allowed');
  const clock = clockOf(site);
  const inTime = byMethod.filter(({ rules }) =>
    rules.every(rule => {
      const schedule = world.schedules.find(({ id }) => id === rule.schedule_id);
      if (schedule === undefined) return true;
      return clock !== null && (timeless || scheduleHolds(schedule, clock, now));
    }),
  );
  if (inTime.length === 0) return deny('out_of_schedule');
  const here = inTime.filter(({ rules }) => rules.every(rule => rule.presence !== 'gps' || present(site, request)));
  if (here.length === 0) return deny('not_present');
  const limitless = here.filter(
    ({ association, rules }) =>
      !hasLimit(member) && !hasLimit(association) && rules.every(rule => typeof rule.schedule_id !== 'string'),
  );
  const winner = (timeless ? limitless : here)[0];
  if (winner === undefined) return deny('time_untrusted');
  return {
    outcome: 'grant',
    association_id: winner.association.id,
    rule: { member_group_id: winner.association.member_group_id, path: winner.path },
  };
};
