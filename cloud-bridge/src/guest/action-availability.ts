import type {
  AccessRequest,
  Gadget,
  Member,
  PermissionDenialReason,
  PermissionRule,
} from '@lintel/access-core/access-data-types';
import { DAY_MS } from '@lintel/access-core/durations';
import type { MemberId, ScheduleId } from '@lintel/access-core/ids';
import { type Instant, instant } from '@lintel/access-core/instant';
import type { AccessDataSource } from '@lintel/access-core/permission/access-data-source-interface';
import { decidePermission } from '@lintel/access-core/permission/decide';
import {
  listEffectivePermissionRules,
  findFirstEffectivePermissionRule,
} from '@lintel/access-core/permission/effective-rules';
import { permissionRuleAllowsMethod, permissionRuleMatchesTarget } from '@lintel/access-core/permission/rule-filters';
import { checkValidity } from '@lintel/access-core/permission/validity';
import { compileSchedule, nextScheduleBoundary } from '@lintel/access-core/schedule';
import { resolveTimeZone } from '@lintel/access-core/time-zone';

/** Whether a guest can use an action, now or later. */
export interface ActionAvailability {
  readonly is_allowed: boolean;
  /** The action is allowed only if the phone is at the site. */
  readonly needs_location: boolean;
  readonly reason: PermissionDenialReason | null;
  readonly allowed_from: Instant | null;
}

export interface GuestMemberAction {
  readonly memberId: MemberId;
  readonly gadget: Gadget;
  readonly actionId: string;
}

/** Limits the search for the next permitted time, which costs one decision per step. Shared by all actions of a page. */
export interface NextAccessSearchBudget {
  stepsLeft: number;
}

const WEEK_AND_A_DAY = 8 * DAY_MS;
const MAX_RULES = 1000;

const requestOf = ({ memberId, gadget, actionId }: GuestMemberAction, now: Instant): AccessRequest => ({
  member_id: memberId,
  gadget_id: gadget.id,
  action_id: actionId,
  access_method: 'online',
  now,
  time_trusted: true,
});

/** The same request from the center of the site. */
const requestOnSite = (accessData: AccessDataSource, action: GuestMemberAction, now: Instant): AccessRequest => ({
  ...requestOf(action, now),
  location: accessData.site(action.gadget.site_id)?.geo?.location ?? null,
});

const schedulesOf = (rules: readonly PermissionRule[]): Set<ScheduleId> =>
  new Set(rules.flatMap(({ schedule_id }) => schedule_id ?? []));

/** The times at which the decision can change: starts of validity and boundaries of schedules. */
const timeChangesOf = (accessData: AccessDataSource, { gadget, actionId }: GuestMemberAction, member: Member) => {
  const zone = resolveTimeZone(accessData.site(gadget.site_id)?.timezone);
  const isRelevant = (rule: PermissionRule): boolean =>
    permissionRuleMatchesTarget(rule, gadget, actionId) && permissionRuleAllowsMethod(rule, 'online');
  const rules = member.group_associations.flatMap(({ member_group_id }) =>
    listEffectivePermissionRules(accessData, member_group_id, isRelevant, MAX_RULES).rules.flatMap(
      ({ links }) => links,
    ),
  );
  const schedules = [...schedulesOf(rules)].flatMap(id => {
    const schedule = accessData.schedule(id);
    return schedule === undefined ? [] : [compileSchedule(schedule.weekdays)];
  });
  const starts = [member, ...member.group_associations].flatMap(({ starts_at }) => starts_at ?? []);
  return {
    lastStart: Math.max(...starts, Number.NEGATIVE_INFINITY),
    after: (at: Instant): number =>
      Math.min(
        ...starts.filter(start => start > at),
        ...(zone.ok ? schedules.map(schedule => nextScheduleBoundary(schedule, zone.value, at) ?? Infinity) : []),
        Infinity,
      ),
  };
};

/** The first time after now at which the action is granted on site; null if none is found. */
const nextGrant = (
  accessData: AccessDataSource,
  action: GuestMemberAction,
  member: Member,
  now: Instant,
  budget: NextAccessSearchBudget,
): Instant | null => {
  const changes = timeChangesOf(accessData, action, member);
  // Schedules repeat weekly, so a search beyond a week after the last start finds nothing new.
  const horizon = Math.max(now, changes.lastStart) + WEEK_AND_A_DAY;
  for (let at = now; budget.stepsLeft > 0; budget.stepsLeft -= 1) {
    const next = changes.after(at);
    if (!(next <= horizon)) return null;
    at = instant(next);
    if (decidePermission(accessData, requestOnSite(accessData, action, at)).outcome === 'grant') return at;
  }
  return null;
};

/** Whether a current or future rule of the member covers the action. */
const hasMatchingRule = (
  accessData: AccessDataSource,
  { gadget, actionId }: GuestMemberAction,
  member: Member,
  now: Instant,
): boolean =>
  member.group_associations.some(
    association =>
      checkValidity(association, now) !== 'ended' &&
      findFirstEffectivePermissionRule(accessData, association.member_group_id, rule =>
        permissionRuleMatchesTarget(rule, gadget, actionId),
      ) !== null,
  );

/** Null if no rule covers the action, so that it is not shown to the guest. */
export const computeActionAvailability = (
  accessData: AccessDataSource,
  action: GuestMemberAction,
  now: Instant,
  budget: NextAccessSearchBudget,
): ActionAvailability | null => {
  const member = accessData.member(action.memberId);
  if (member === undefined || !hasMatchingRule(accessData, action, member, now)) return null;
  const allowed = { is_allowed: true, reason: null, allowed_from: null };
  const decision = decidePermission(accessData, requestOf(action, now));
  if (decision.outcome === 'grant') return { ...allowed, needs_location: false };
  if (decision.outcome === 'not_found') return null;
  const onSiteDecision = decidePermission(accessData, requestOnSite(accessData, action, now));
  if (onSiteDecision.outcome === 'grant') return { ...allowed, needs_location: true };
  const allowed_from = nextGrant(accessData, action, member, now, budget);
  return { is_allowed: false, needs_location: false, reason: decision.reason, allowed_from };
};
