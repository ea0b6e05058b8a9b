import type { AccessRequest } from '../access-data-types.ts';
import type { Instant } from '../instant.ts';
import { type PermissionDecision, type DenialDecision, denialDecisionByReason } from '../permission/decision-types.ts';
import { isRequesterAtSite } from '../permission/is-requester-at-site.ts';
import { isInsideSchedule } from '../schedule.ts';
import { type CompiledPermissionRule, toAccessMethodBit } from './compiled-permission-rules.ts';
import {
  type CompiledGadgetAction,
  type CompiledGadgetActions,
  MISSING_GROUP_PERMISSION_RULES,
  TOO_MANY_PERMISSION_RULES,
} from './compiled-gadget-actions.ts';
import { getMemberGroupNumber, hasAssociationOwnValidity, type MemberTable } from './member-table.ts';

/* Progress of the best path so far. A path that fails only for an untrusted time ranks directly below a grant. */
const NOWHERE = 0;
const ASSOCIATED = 1;
const AT_TARGET = 2;
const BY_METHOD = 3;
const IN_SCHEDULE = 4;
const BUT_FOR_TIME = 5;
const GRANTED = 6;

const denialByProgress: readonly DenialDecision[] = [
  denialDecisionByReason.no_group,
  denialDecisionByReason.no_matching_rule,
  denialDecisionByReason.method_not_allowed,
  denialDecisionByReason.out_of_schedule,
  denialDecisionByReason.not_present,
  denialDecisionByReason.time_untrusted,
];

/** `now` is null while the time is untrusted: a schedule then passes for finding the reason but does not grant. */
const progressOf = (
  rule: CompiledPermissionRule,
  door: CompiledGadgetAction,
  request: AccessRequest,
  method: number,
  now: Instant | null,
): number => {
  if ((rule.methods & method) === 0) return AT_TARGET;
  const schedules = rule.schedules;
  if (schedules.length > 0) {
    const zone = door.zone;
    if (zone === null) return BY_METHOD;
    if (now !== null) for (const schedule of schedules) if (!isInsideSchedule(schedule, zone, now)) return BY_METHOD;
  }
  if (rule.needsPresence && !isRequesterAtSite(request, door.site)) return IN_SCHEDULE;
  return now === null && schedules.length > 0 ? BUT_FOR_TIME : GRANTED;
};

export interface CompiledAccessData {
  readonly members: MemberTable;
  readonly doors: CompiledGadgetActions;
}

/**
 * The permission calculation on the compiled tables, allocating only for a grant. Returns null if a group has too many
 * rules to compile; the caller then uses `decidePermission`.
 */
export const decideCompiledPermission = (
  { members, doors }: CompiledAccessData,
  member: number,
  door: CompiledGadgetAction,
  request: AccessRequest,
  now: Instant | null,
): PermissionDecision | null => {
  if (members.isDeleted(member)) return denialDecisionByReason.member_deleted;
  const startsAt = members.startsAt(member);
  const endsAt = members.endsAt(member);
  let memberCertain = true;
  if (now === null) {
    memberCertain = startsAt === Number.NEGATIVE_INFINITY && endsAt === Number.POSITIVE_INFINITY;
  } else {
    if (!(now >= startsAt)) return denialDecisionByReason.member_not_started;
    if (!(now < endsAt)) return denialDecisionByReason.member_ended;
  }

  const method = toAccessMethodBit(request.access_method);
  let best = NOWHERE;
  const count = members.associationCount(member);
  for (let index = 0; index < count; index++) {
    let certain = memberCertain;
    const association = members.association(member, index);
    if (hasAssociationOwnValidity(association)) {
      if (now === null) certain = false;
      else if (!(now >= members.associationStartsAt(member, index) && now < members.associationEndsAt(member, index)))
        continue;
    }
    const rules = doors.rules(door, getMemberGroupNumber(association));
    if (rules === MISSING_GROUP_PERMISSION_RULES) continue;
    if (rules === TOO_MANY_PERMISSION_RULES) return null;
    if (best < ASSOCIATED) best = ASSOCIATED;
    for (const rule of rules) {
      const progress = progressOf(rule, door, request, method, now);
      if (progress === GRANTED && certain) {
        return { outcome: 'grant', association_id: members.associationId(member, index), rule: rule.source };
      }
      if (progress > best) best = progress === GRANTED ? BUT_FOR_TIME : progress;
    }
  }
  return denialByProgress[best]!;
};
