import type { AccessMethod, AccessRequest, Gadget, PermissionReason, PermissionRule, Site } from '../access-model.ts';
import type { Instant } from '../instant.ts';
import { compileSchedule, isInside } from '../schedule.ts';
import type { Zone } from '../time-zone.ts';
import type { AccessWorld } from './access-world.ts';
import { isPresent } from './presence.ts';

/** All that a rule is held against: the request, and what it names, looked up. */
export interface Circumstances {
  readonly world: AccessWorld;
  readonly request: AccessRequest;
  readonly gadget: Gadget;
  readonly site: Site;
  /** Null when the site has no time zone, or one that nobody knows. */
  readonly zone: Zone | null;
  /** Null while the time is not known. */
  readonly now: Instant | null;
}

/** `unknown`: it depends on the time, which nobody knows. */
export type FilterVerdict = 'pass' | 'fail' | 'unknown';

export const matchesTarget = (rule: PermissionRule, gadget: Gadget, actionId: string): boolean =>
  (rule.site_id == null || rule.site_id === gadget.site_id) &&
  (rule.gadget_id == null || rule.gadget_id === gadget.id) &&
  (rule.action_id == null || rule.action_id === actionId);

export const allowsMethod = (rule: PermissionRule, method: AccessMethod): boolean =>
  rule.access_methods == null || rule.access_methods[method] === true;

const verdict = (passes: boolean): FilterVerdict => (passes ? 'pass' : 'fail');

const checkSchedule = (rule: PermissionRule, { world, zone, now }: Circumstances): FilterVerdict => {
  if (rule.schedule_id == null) return 'pass';
  const schedule = world.schedule(rule.schedule_id);
  // No clock, trusted or not, can help a site that has no local time.
  if (schedule === undefined || zone === null) return 'fail';
  return now === null ? 'unknown' : verdict(isInside(compileSchedule(schedule.weekdays), zone, now));
};

export interface RuleFilter {
  readonly name: 'target' | 'method' | 'schedule' | 'presence';
  readonly reason: PermissionReason;
  readonly check: (rule: PermissionRule, circumstances: Circumstances) => FilterVerdict;
}

/** In the order in which they are applied; the reason of the first that leaves no rule is the answer. */
export const ruleFilters: readonly RuleFilter[] = [
  {
    name: 'target',
    reason: 'no_matching_rule',
    check: (rule, { gadget, request }) => verdict(matchesTarget(rule, gadget, request.action_id)),
  },
  {
    name: 'method',
    reason: 'method_not_allowed',
    check: (rule, { request }) => verdict(allowsMethod(rule, request.access_method)),
  },
  { name: 'schedule', reason: 'out_of_schedule', check: checkSchedule },
  {
    name: 'presence',
    reason: 'not_present',
    check: (rule, { request, site }) => verdict(rule.presence !== 'gps' || isPresent(request, site)),
  },
];
