import type { AccessRequest, GroupAssociation, Member } from '../access-model.ts';
import type { GroupAssociationId, MemberGroupId, MemberId } from '../ids.ts';
import type { AccessWorld } from './access-world.ts';
import { circumstancesOf, decide } from './decide.ts';
import type { Decision, GrantingRule, UntrustedTimePolicy } from './decision.ts';
import { type DroppedRule, droppedRules, type EffectiveRule, effectiveRules } from './effective-rules.ts';
import { textOfAssociation, textOfDecision, textOfDropped, textOfMember, textOfRule } from './explanation-texts.ts';
import { type Circumstances, type RuleFilter, ruleFilters, type FilterVerdict } from './rule-filters.ts';
import { checkValidity, type ValidityVerdict } from './validity.ts';

interface MemberStep {
  readonly about: 'member';
  readonly member_id: MemberId;
  readonly finding: ValidityVerdict | 'deleted';
  readonly text: string;
}

interface AssociationStep {
  readonly about: 'association';
  readonly association_id: GroupAssociationId;
  readonly member_group_id: MemberGroupId;
  readonly finding: ValidityVerdict | 'group_gone';
  readonly text: string;
}

interface RuleStep {
  readonly about: 'rule';
  readonly association_id: GroupAssociationId;
  readonly rule: GrantingRule;
  readonly verdicts: Readonly<Record<RuleFilter['name'], FilterVerdict>>;
  readonly text: string;
}

interface DroppedRuleStep extends DroppedRule {
  readonly about: 'dropped_rule';
  readonly association_id: GroupAssociationId;
  readonly text: string;
}

type ExplanationStep = MemberStep | AssociationStep | DroppedRuleStep | RuleStep;

/** Why a door opened or did not, for people. */
export interface Explanation {
  readonly decision: Decision;
  readonly text: string;
  readonly steps: readonly ExplanationStep[];
  /** False when inheritance makes so many rules that not all of them are listed. */
  readonly complete: boolean;
}

const MOST_STEPS = 2000;

const memberStep = (member: Member, { now }: Circumstances): MemberStep => {
  const finding = member.is_deleted ? 'deleted' : checkValidity(member, now);
  return { about: 'member', member_id: member.id, finding, text: textOfMember(finding) };
};

const associationStep = (association: GroupAssociation, { world, now }: Circumstances): AssociationStep => {
  const { id, member_group_id } = association;
  const lives = world.memberGroup(member_group_id)?.is_deleted === false;
  const finding = lives ? checkValidity(association, now) : 'group_gone';
  return { about: 'association', association_id: id, member_group_id, finding, text: textOfAssociation(finding) };
};

/** A chain passes what every link passes, fails what one link fails. */
const together = (verdicts: readonly FilterVerdict[]): FilterVerdict => {
  if (verdicts.includes('fail')) return 'fail';
  return verdicts.includes('unknown') ? 'unknown' : 'pass';
};

const ruleStep = (
  associationId: GroupAssociationId,
  { member_group_id, path, links }: EffectiveRule,
  circumstances: Circumstances,
): RuleStep => {
  const judged = ruleFilters.map(({ name, check }) => [name, together(links.map(link => check(link, circumstances)))]);
  const verdicts = Object.fromEntries(judged) as RuleStep['verdicts'];
  const text = textOfRule(path, verdicts);
  return { about: 'rule', association_id: associationId, rule: { member_group_id, path }, verdicts, text };
};

/** Every association and, for those that may count, every effective rule with what each filter says of it. */
export const explain = (
  world: AccessWorld,
  request: AccessRequest,
  untrusted: UntrustedTimePolicy = 'refuse',
): Explanation => {
  const decision = decide(world, request, untrusted);
  const text = textOfDecision(decision);
  const circumstances = circumstancesOf(world, request, untrusted);
  const member = world.member(request.member_id);
  if ('outcome' in circumstances || member === undefined) return { decision, text, steps: [], complete: true };

  const steps: ExplanationStep[] = [memberStep(member, circumstances)];
  let complete = true;
  for (const association of member.group_associations) {
    const step = associationStep(association, circumstances);
    steps.push(step);
    if (step.finding !== 'inside' && step.finding !== 'unknown') continue;
    for (const dropped of droppedRules(world, association.member_group_id)) {
      steps.push({
        about: 'dropped_rule',
        association_id: association.id,
        ...dropped,
        text: textOfDropped(dropped.index),
      });
    }
    const found = effectiveRules(world, association.member_group_id, () => true, MOST_STEPS);
    for (const rule of found.rules) steps.push(ruleStep(association.id, rule, circumstances));
    complete &&= found.complete;
  }
  return { decision, text, steps, complete };
};
