import type {
  AccessMethod,
  AccessRequest,
  Gadget,
  PermissionDenialReason,
  PermissionRule,
  Site,
} from '../access-data-types.ts';
import type { Instant } from '../instant.ts';
import { compileSchedule, isInsideSchedule } from '../schedule.ts';
import type { TimeZone } from '../time-zone.ts';
import type { AccessDataSource } from './access-data-source-interface.ts';
import { isRequesterAtSite } from './is-requester-at-site.ts';

/** The request with the objects it refers to. */
export interface ResolvedAccessRequest {
  readonly world: AccessDataSource;
  readonly request: AccessRequest;
  readonly gadget: Gadget;
  readonly site: Site;
  /** Null if the site has no time zone or an unknown one. */
  readonly zone: TimeZone | null;
  /** Null while the time is untrusted. */
  readonly now: Instant | null;
}

/** `unknown`: depends on the time, which is untrusted. */
export type PermissionRuleFilterResult = 'pass' | 'fail' | 'unknown';

export const permissionRuleMatchesTarget = (rule: PermissionRule, gadget: Gadget, actionId: string): boolean =>
  (rule.site_id == null || rule.site_id === gadget.site_id) &&
  (rule.gadget_id == null || rule.gadget_id === gadget.id) &&
  (rule.action_id == null || rule.action_id === actionId);

export const permissionRuleAllowsMethod = (rule: PermissionRule, method: AccessMethod): boolean =>
  rule.access_methods == null || rule.access_methods[method] === true;

const toFilterResult = (passes: boolean): PermissionRuleFilterResult => (passes ? 'pass' : 'fail');

const checkSchedule = (
  rule: PermissionRule,
  { world, zone, now }: ResolvedAccessRequest,
): PermissionRuleFilterResult => {
  if (rule.schedule_id == null) return 'pass';
  const schedule = world.schedule(rule.schedule_id);
  // Without local time the site's schedules never match, whatever the clock.
  if (schedule === undefined || zone === null) return 'fail';
  return now === null ? 'unknown' : toFilterResult(isInsideSchedule(compileSchedule(schedule.weekdays), zone, now));
};

export interface PermissionRuleFilter {
  readonly name: 'target' | 'method' | 'schedule' | 'presence';
  readonly reason: PermissionDenialReason;
  readonly check: (rule: PermissionRule, context: ResolvedAccessRequest) => PermissionRuleFilterResult;
}

/** In order of application; the reason of the first filter that leaves no rule is the result. */
export const permissionRuleFilters: readonly PermissionRuleFilter[] = [
  {
    name: 'target',
    reason: 'no_matching_rule',
    check: (rule, { gadget, request }) => toFilterResult(permissionRuleMatchesTarget(rule, gadget, request.action_id)),
  },
  {
    name: 'method',
    reason: 'method_not_allowed',
    check: (rule, { request }) => toFilterResult(permissionRuleAllowsMethod(rule, request.access_method)),
  },
  { name: 'schedule', reason: 'out_of_schedule', check: checkSchedule },
  {
    name: 'presence',
    reason: 'not_present',
    check: (rule, { request, site }) => toFilterResult(rule.presence !== 'gps' || isRequesterAtSite(request, site)),
  },
];
