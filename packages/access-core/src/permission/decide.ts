import type { AccessRequest, GroupAssociation, Member, PermissionRule } from '../access-data-types.ts';
import type { Instant } from '../instant.ts';
import { resolveTimeZone } from '../time-zone.ts';
import type { AccessDataSource } from './access-data-source-interface.ts';
import {
  type PermissionDecision,
  denialDecisionByReason,
  type NotFoundDecision,
  notFoundDecisions,
  type UntrustedTimePolicy,
} from './decision-types.ts';
import { findFirstEffectivePermissionRule } from './effective-rules.ts';
import {
  type ResolvedAccessRequest,
  type PermissionRuleFilter,
  permissionRuleFilters,
  type PermissionRuleFilterResult,
} from './rule-filters.ts';
import { checkValidity } from './validity.ts';

/** Null if the time is untrusted or not a number. */
export const resolveTrustedTime = (request: AccessRequest, untrusted: UntrustedTimePolicy): Instant | null =>
  (request.time_trusted || untrusted === 'use_clock') && Number.isFinite(request.now) ? request.now : null;

/** Looks up the objects of the request. Missing ones take precedence over any denial reason. */
export const resolveAccessRequest = (
  world: AccessDataSource,
  request: AccessRequest,
  untrusted: UntrustedTimePolicy,
): ResolvedAccessRequest | NotFoundDecision => {
  const gadget = world.gadget(request.gadget_id);
  if (gadget === undefined || gadget.is_deleted) return notFoundDecisions.gadget;
  const site = world.site(gadget.site_id);
  if (site === undefined || site.is_deleted) return notFoundDecisions.gadget;
  if (!gadget.action_ids.includes(request.action_id)) return notFoundDecisions.action;
  const zone = resolveTimeZone(site.timezone);
  return {
    world,
    request,
    gadget,
    site,
    zone: zone.ok ? zone.value : null,
    now: resolveTrustedTime(request, untrusted),
  };
};

const groupLives = (world: AccessDataSource, { member_group_id }: GroupAssociation): boolean =>
  world.memberGroup(member_group_id)?.is_deleted === false;

/** Associations that are valid now, or may be if the time is untrusted. */
const usableAssociations = ({ world, now }: ResolvedAccessRequest, member: Member): readonly GroupAssociation[] =>
  member.group_associations.filter(association => {
    const validity = checkValidity(association, now);
    return (validity === 'inside' || validity === 'unknown') && groupLives(world, association);
  });

const firstRule = (
  context: ResolvedAccessRequest,
  associations: readonly GroupAssociation[],
  filters: readonly PermissionRuleFilter[],
  accepts: (result: PermissionRuleFilterResult) => boolean,
): PermissionDecision | null => {
  const keeps = (rule: PermissionRule): boolean => filters.every(({ check }) => accepts(check(rule, context)));
  for (const { id, member_group_id } of associations) {
    const rule = findFirstEffectivePermissionRule(context.world, member_group_id, keeps);
    if (rule !== null) return { outcome: 'grant', association_id: id, rule: { member_group_id, path: rule.path } };
  }
  return null;
};

/**
 * The permission calculation in its plain form; the access index gives the same results from its tables. Without a
 * trusted time, every time limit (of member, association or schedule) is assumed to pass at first. A denial reason
 * found this way holds at any time and is returned. Otherwise a path without any time limit grants, and if there is
 * none, the reason is `time_untrusted`.
 */
export const decidePermission = (
  world: AccessDataSource,
  request: AccessRequest,
  untrusted: UntrustedTimePolicy = 'refuse',
): PermissionDecision => {
  const context = resolveAccessRequest(world, request, untrusted);
  if ('outcome' in context) return context;
  const member = world.member(request.member_id);
  if (member === undefined) return notFoundDecisions.member;
  if (member.is_deleted) return denialDecisionByReason.member_deleted;
  const memberValidity = checkValidity(member, context.now);
  if (memberValidity === 'not_started') return denialDecisionByReason.member_not_started;
  if (memberValidity === 'ended') return denialDecisionByReason.member_ended;

  const associations = usableAssociations(context, member);
  if (associations.length === 0) return denialDecisionByReason.no_group;
  for (const [index, { reason }] of permissionRuleFilters.entries()) {
    const soFar = permissionRuleFilters.slice(0, index + 1);
    if (firstRule(context, associations, soFar, result => result !== 'fail') === null)
      return denialDecisionByReason[reason];
  }

  if (memberValidity === 'unknown') return denialDecisionByReason.time_untrusted;
  const certain = associations.filter(association => checkValidity(association, context.now) === 'inside');
  return (
    firstRule(context, certain, permissionRuleFilters, result => result === 'pass') ??
    denialDecisionByReason.time_untrusted
  );
};
