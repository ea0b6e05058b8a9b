import type { AccessRequest, Gadget, Member, PermissionReason, PermissionRule } from '@lintel/access-core/access-model';
import type { MemberId, ScheduleId } from '@lintel/access-core/ids';
import { type Instant, instant } from '@lintel/access-core/instant';
import type { AccessWorld } from '@lintel/access-core/permission/access-world';
import { decide } from '@lintel/access-core/permission/decide';
import { effectiveRules, firstEffectiveRule } from '@lintel/access-core/permission/effective-rules';
import { allowsMethod, matchesTarget } from '@lintel/access-core/permission/rule-filters';
import { checkValidity } from '@lintel/access-core/permission/validity';
import { compileSchedule, nextBoundary } from '@lintel/access-core/schedule';
import { zoneFor } from '@lintel/access-core/time-zone';

/** What a guest can be told of an action before trying it. */
export interface ActionOutlook {
  readonly is_allowed: boolean;
  /** It depends on where the phone is, and on nothing else. */
  readonly needs_location: boolean;
  readonly reason: PermissionReason | null;
  readonly allowed_from: Instant | null;
}

export interface Question {
  readonly memberId: MemberId;
  readonly gadget: Gadget;
  readonly actionId: string;
}

/** Looking ahead costs a decision for each moment at which something changes: one budget for a whole page. */
export interface LookingAhead {
  stepsLeft: number;
}

const WEEK_AND_A_DAY = 8 * 86_400_000;
const MOST_RULES = 1000;

const requestOf = ({ memberId, gadget, actionId }: Question, now: Instant): AccessRequest => ({
  member_id: memberId,
  gadget_id: gadget.id,
  action_id: actionId,
  access_method: 'online',
  now,
  time_trusted: true,
});

/** The same request by somebody who stands in the middle of the site. */
const onSite = (world: AccessWorld, question: Question, now: Instant): AccessRequest => ({
  ...requestOf(question, now),
  location: world.site(question.gadget.site_id)?.geo?.location ?? null,
});

const schedulesOf = (rules: readonly PermissionRule[]): Set<ScheduleId> =>
  new Set(rules.flatMap(({ schedule_id }) => schedule_id ?? []));

/** Every way in which time alone may change the answer, as a function to the next such moment. */
const changesOf = (world: AccessWorld, { gadget, actionId }: Question, member: Member) => {
  const zone = zoneFor(world.site(gadget.site_id)?.timezone);
  const keeps = (rule: PermissionRule): boolean =>
    matchesTarget(rule, gadget, actionId) && allowsMethod(rule, 'online');
  const rules = member.group_associations.flatMap(({ member_group_id }) =>
    effectiveRules(world, member_group_id, keeps, MOST_RULES).rules.flatMap(({ links }) => links),
  );
  const schedules = [...schedulesOf(rules)].flatMap(id => {
    const schedule = world.schedule(id);
    return schedule === undefined ? [] : [compileSchedule(schedule.weekdays)];
  });
  const starts = [member, ...member.group_associations].flatMap(({ starts_at }) => starts_at ?? []);
  return {
    lastStart: Math.max(...starts, Number.NEGATIVE_INFINITY),
    after: (at: Instant): number =>
      Math.min(
        ...starts.filter(start => start > at),
        ...(zone.ok ? schedules.map(schedule => nextBoundary(schedule, zone.value, at) ?? Infinity) : []),
        Infinity,
      ),
  };
};

/** The first moment after now at which somebody on site would be let in; null when none is in sight. */
const nextGrant = (
  world: AccessWorld,
  question: Question,
  member: Member,
  now: Instant,
  ahead: LookingAhead,
): Instant | null => {
  const changes = changesOf(world, question, member);
  // Schedules repeat every week: what has not come a week after the last start does not come.
  const horizon = Math.max(now, changes.lastStart) + WEEK_AND_A_DAY;
  for (let at = now; ahead.stepsLeft > 0; ahead.stepsLeft -= 1) {
    const next = changes.after(at);
    if (!(next <= horizon)) return null;
    at = instant(next);
    if (decide(world, onSite(world, question, at)).outcome === 'grant') return at;
  }
  return null;
};

/** Some rule of the member, now or to come, is about this action. */
const concerns = (world: AccessWorld, { gadget, actionId }: Question, member: Member, now: Instant): boolean =>
  member.group_associations.some(
    association =>
      checkValidity(association, now) !== 'ended' &&
      firstEffectiveRule(world, association.member_group_id, rule => matchesTarget(rule, gadget, actionId)) !== null,
  );

/** Null: no rule is about it, and a guest need not know that it exists. */
export const actionOutlook = (
  world: AccessWorld,
  question: Question,
  now: Instant,
  ahead: LookingAhead,
): ActionOutlook | null => {
  const member = world.member(question.memberId);
  if (member === undefined || !concerns(world, question, member, now)) return null;
  const allowed = { is_allowed: true, reason: null, allowed_from: null };
  const decision = decide(world, requestOf(question, now));
  if (decision.outcome === 'grant') return { ...allowed, needs_location: false };
  if (decision.outcome === 'not_found') return null;
  const near = decide(world, onSite(world, question, now));
  if (near.outcome === 'grant') return { ...allowed, needs_location: true };
  const allowed_from = nextGrant(world, question, member, now, ahead);
  return { is_allowed: false, needs_location: false, reason: decision.reason, allowed_from };
};
