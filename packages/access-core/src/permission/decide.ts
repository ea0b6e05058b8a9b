import type { AccessRequest, GroupAssociation, Member, PermissionRule } from '../access-model.ts';
import type { Instant } from '../instant.ts';
import { zoneFor } from '../time-zone.ts';
import type { AccessWorld } from './access-world.ts';
import { type Decision, denials, type NotFound, notFound, type UntrustedTimePolicy } from './decision.ts';
import { firstEffectiveRule } from './effective-rules.ts';
import { type Circumstances, type RuleFilter, ruleFilters, type FilterVerdict } from './rule-filters.ts';
import { checkValidity } from './validity.ts';

/** A clock that shows no number is trusted by nobody. */
export const knownTime = (request: AccessRequest, untrusted: UntrustedTimePolicy): Instant | null =>
  (request.time_trusted || untrusted === 'use_clock') && Number.isFinite(request.now) ? request.now : null;

/** What the request names, looked up. What is missing here comes before any reason. */
export const circumstancesOf = (
  world: AccessWorld,
  request: AccessRequest,
  untrusted: UntrustedTimePolicy,
): Circumstances | NotFound => {
  const gadget = world.gadget(request.gadget_id);
  if (gadget === undefined || gadget.is_deleted) return notFound.gadget;
  const site = world.site(gadget.site_id);
  if (site === undefined || site.is_deleted) return notFound.gadget;
  if (!gadget.action_ids.includes(request.action_id)) return notFound.action;
  const zone = zoneFor(site.timezone);
  return { world, request, gadget, site, zone: zone.ok ? zone.value : null, now: knownTime(request, untrusted) };
};

const groupLives = (world: AccessWorld, { member_group_id }: GroupAssociation): boolean =>
  world.memberGroup(member_group_id)?.is_deleted === false;

/** Associations that are valid now, or may be for all we know. */
const usableAssociations = ({ world, now }: Circumstances, member: Member): readonly GroupAssociation[] =>
  member.group_associations.filter(association => {
    const validity = checkValidity(association, now);
    return (validity === 'inside' || validity === 'unknown') && groupLives(world, association);
  });

const firstRule = (
  circumstances: Circumstances,
  associations: readonly GroupAssociation[],
  filters: readonly RuleFilter[],
  accepts: (verdict: FilterVerdict) => boolean,
): Decision | null => {
  const keeps = (rule: PermissionRule): boolean => filters.every(({ check }) => accepts(check(rule, circumstances)));
  for (const { id, member_group_id } of associations) {
    const rule = firstEffectiveRule(circumstances.world, member_group_id, keeps);
    if (rule !== null) return { outcome: 'grant', association_id: id, rule: { member_group_id, path: rule.path } };
  }
  return null;
};

/**
 * The permission calculation, said as plainly as the code can; the compact index answers the same from its tables.
 *
 * Without a known time every time limit (of member, association or schedule) is taken to pass at first. A reason found on
 * that assumption holds whatever the time is, and is given. When none is found, one path without any time limit grants,
 * and otherwise the limits are all that stands in the way: `time_untrusted`.
 */
export const decide = (
  world: AccessWorld,
  request: AccessRequest,
  untrusted: UntrustedTimePolicy = 'refuse',
): Decision => {
  const circumstances = circumstancesOf(world, request, untrusted);
  if ('outcome' in circumstances) return circumstances;
  const member = world.member(request.member_id);
  if (member === undefined) return notFound.member;
  if (member.is_deleted) return denials.member_deleted;
  const memberValidity = checkValidity(member, circumstances.now);
  if (memberValidity === 'not_started') return denials.member_not_started;
  if (memberValidity === 'ended') return denials.member_ended;

  const associations = usableAssociations(circumstances, member);
  if (associations.length === 0) return denials.no_group;
  for (const [index, { reason }] of ruleFilters.entries()) {
    const soFar = ruleFilters.slice(0, index + 1);
    if (firstRule(circumstances, associations, soFar, verdict => verdict !== 'fail') === null) return denials[reason];
  }

  if (memberValidity === 'unknown') return denials.time_untrusted;
  const certain = associations.filter(association => checkValidity(association, circumstances.now) === 'inside');
  return firstRule(circumstances, certain, ruleFilters, verdict => verdict === 'pass') ?? denials.time_untrusted;
};
