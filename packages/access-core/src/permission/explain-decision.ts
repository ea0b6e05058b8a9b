import type { AccessRequest, GroupAssociation, Member } from '../access-data-types.ts';
import type { GroupAssociationId, MemberGroupId, MemberId } from '../ids.ts';
import type { AccessDataSource } from './access-data-source-interface.ts';
import { resolveAccessRequest, decidePermission } from './decide.ts';
import type { PermissionDecision, PermissionRulePath, UntrustedTimePolicy } from './decision-types.ts';
import {
  type IgnoredPermissionRule,
  listIgnoredPermissionRules,
  type EffectivePermissionRule,
  listEffectivePermissionRules,
} from './effective-rules.ts';
import {
  describeAssociationValidity,
  describePermissionDecision,
  describeIgnoredPermissionRule,
  describeMemberValidity,
  describePermissionRuleCheck,
} from './explanation-texts.ts';
import {
  type ResolvedAccessRequest,
  type PermissionRuleFilter,
  permissionRuleFilters,
  type PermissionRuleFilterResult,
} from './rule-filters.ts';
import { checkValidity, type ValidityResult } from './validity.ts';

interface MemberStep {
  readonly about: 'member';
  readonly member_id: MemberId;
  readonly finding: ValidityResult | 'deleted';
  readonly text: string;
}

interface AssociationStep {
  readonly about: 'association';
  readonly association_id: GroupAssociationId;
  readonly member_group_id: MemberGroupId;
  readonly finding: ValidityResult | 'group_gone';
  readonly text: string;
}

interface RuleStep {
  readonly about: 'rule';
  readonly association_id: GroupAssociationId;
  readonly rule: PermissionRulePath;
  readonly results: Readonly<Record<PermissionRuleFilter['name'], PermissionRuleFilterResult>>;
  readonly text: string;
}

interface DroppedRuleStep extends IgnoredPermissionRule {
  readonly about: 'dropped_rule';
  readonly association_id: GroupAssociationId;
  readonly text: string;
}

type ExplanationStep = MemberStep | AssociationStep | DroppedRuleStep | RuleStep;

/** Why access was granted or denied, for administrators. */
export interface PermissionDecisionExplanation {
  readonly decision: PermissionDecision;
  readonly text: string;
  readonly steps: readonly ExplanationStep[];
  /** False if inheritance produces too many rules to list. */
  readonly complete: boolean;
}

const MOST_STEPS = 2000;

const memberStep = (member: Member, { now }: ResolvedAccessRequest): MemberStep => {
  const finding = member.is_deleted ? 'deleted' : checkValidity(member, now);
  return { about: 'member', member_id: member.id, finding, text: describeMemberValidity(finding) };
};

const associationStep = (association: GroupAssociation, { world, now }: ResolvedAccessRequest): AssociationStep => {
  const { id, member_group_id } = association;
  const lives = world.memberGroup(member_group_id)?.is_deleted === false;
  const finding = lives ? checkValidity(association, now) : 'group_gone';
  return {
    about: 'association',
    association_id: id,
    member_group_id,
    finding,
    text: describeAssociationValidity(finding),
  };
};

/** A chain passes if all links pass, and fails if one link fails. */
const combineResults = (results: readonly PermissionRuleFilterResult[]): PermissionRuleFilterResult => {
  if (results.includes('fail')) return 'fail';
  return results.includes('unknown') ? 'unknown' : 'pass';
};

const ruleStep = (
  associationId: GroupAssociationId,
  { member_group_id, path, links }: EffectivePermissionRule,
  context: ResolvedAccessRequest,
): RuleStep => {
  const checked = permissionRuleFilters.map(({ name, check }) => [
    name,
    combineResults(links.map(link => check(link, context))),
  ]);
  const results = Object.fromEntries(checked) as RuleStep['results'];
  const text = describePermissionRuleCheck(path, results);
  return { about: 'rule', association_id: associationId, rule: { member_group_id, path }, results, text };
};

/** Lists every association and, for usable ones, every effective rule with the result of each filter. */
export const explainPermissionDecision = (
  world: AccessDataSource,
  request: AccessRequest,
  untrusted: UntrustedTimePolicy = 'refuse',
): PermissionDecisionExplanation => {
  const decision = decidePermission(world, request, untrusted);
  const text = describePermissionDecision(decision);
  const context = resolveAccessRequest(world, request, untrusted);
  const member = world.member(request.member_id);
  if ('outcome' in context || member === undefined) return { decision, text, steps: [], complete: true };

  const steps: ExplanationStep[] = [memberStep(member, context)];
  let complete = true;
  for (const association of member.group_associations) {
    const step = associationStep(association, context);
    steps.push(step);
    if (step.finding !== 'inside' && step.finding !== 'unknown') continue;
    for (const dropped of listIgnoredPermissionRules(world, association.member_group_id)) {
      steps.push({
        about: 'dropped_rule',
        association_id: association.id,
        ...dropped,
        text: describeIgnoredPermissionRule(dropped.index),
      });
    }
    const found = listEffectivePermissionRules(world, association.member_group_id, () => true, MOST_STEPS);
    for (const rule of found.rules) steps.push(ruleStep(association.id, rule, context));
    complete &&= found.complete;
  }
  return { decision, text, steps, complete };
};
