import type { AccessRequest } from '../access-model.ts';
import type { Instant } from '../instant.ts';
import { type Decision, type Denial, denials } from '../permission/decision.ts';
import { isPresent } from '../permission/presence.ts';
import { isInside } from '../schedule.ts';
import { type CompiledRule, methodBit } from './compiled-rules.ts';
import { type Door, type CompiledDoors, GROUP_GONE, TOO_MANY } from './doors.ts';
import { groupNumber, isLimited, type MemberTable } from './member-table.ts';

/* How far the best path has come so far. A path that stops at time limits alone has come all the way but one step. */
const NOWHERE = 0;
const ASSOCIATED = 1;
const AT_TARGET = 2;
const BY_METHOD = 3;
const IN_SCHEDULE = 4;
const BUT_FOR_TIME = 5;
const GRANTED = 6;

const denialByProgress: readonly Denial[] = [
  denials.no_group,
  denials.no_matching_rule,
  denials.method_not_allowed,
  denials.out_of_schedule,
  denials.not_present,
  denials.time_untrusted,
];

/** `now` is null while the time is not known: then a schedule passes for the reason's sake, and does not grant. */
const progressOf = (
  rule: CompiledRule,
  door: Door,
  request: AccessRequest,
  method: number,
  now: Instant | null,
): number => {
  if ((rule.methods & method) === 0) return AT_TARGET;
  const schedules = rule.schedules;
  if (schedules.length > 0) {
    const zone = door.zone;
    if (zone === null) return BY_METHOD;
    if (now !== null) for (const schedule of schedules) if (!isInside(schedule, zone, now)) return BY_METHOD;
  }
  if (rule.needsPresence && !isPresent(request, door.site)) return IN_SCHEDULE;
  return now === null && schedules.length > 0 ? BUT_FOR_TIME : GRANTED;
};

export interface CompiledWorld {
  readonly members: MemberTable;
  readonly doors: CompiledDoors;
}

/**
 * The permission calculation over the tables, without allocation until there is something to grant. Answers null when a
 * group's rules are too many to list; the plain calculation takes over then.
 */
export const decideCompiled = (
  { members, doors }: CompiledWorld,
  member: number,
  door: Door,
  request: AccessRequest,
  now: Instant | null,
): Decision | null => {
  if (members.isDeleted(member)) return denials.member_deleted;
  const startsAt = members.startsAt(member);
  const endsAt = members.endsAt(member);
  let memberCertain = true;
  if (now === null) {
    memberCertain = startsAt === Number.NEGATIVE_INFINITY && endsAt === Number.POSITIVE_INFINITY;
  } else {
    if (!(now >= startsAt)) return denials.member_not_started;
    if (!(now < endsAt)) return denials.member_ended;
  }

  const method = methodBit(request.access_method);
  let best = NOWHERE;
  const count = members.associationCount(member);
  for (let index = 0; index < count; index++) {
    let certain = memberCertain;
    const association = members.association(member, index);
    if (isLimited(association)) {
      if (now === null) certain = false;
      else if (!(now >= members.associationStartsAt(member, index) && now < members.associationEndsAt(member, index)))
        continue;
    }
    const rules = doors.rules(door, groupNumber(association));
    if (rules === GROUP_GONE) continue;
    if (rules === TOO_MANY) return null;
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
