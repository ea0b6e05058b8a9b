import type { PermissionDenialReason } from '../access-data-types.ts';
import type { PermissionDecision } from './decision-types.ts';
import type { PermissionRuleFilter, PermissionRuleFilterResult } from './rule-filters.ts';
import type { ValidityResult } from './validity.ts';

const reasons: Readonly<Record<PermissionDenialReason, string>> = {
  member_deleted: 'The member has been deleted.',
  member_not_started: 'The validity of the member has not started.',
  member_ended: 'The validity of the member has ended.',
  no_group: 'The member is not in any group now.',
  no_matching_rule: "No rule of the member's groups covers this action.",
  method_not_allowed: 'The rules for this action do not allow this access method.',
  out_of_schedule: 'The rules for this action do not apply at this time.',
  not_present: 'The rules for this action require presence at the site.',
  time_untrusted: 'All rules that would allow access have a time limit, and the time is untrusted.',
};

const missing = {
  gadget: 'The gadget does not exist.',
  action: 'The gadget does not have this action.',
  member: 'The member does not exist.',
} as const;

export const describePermissionDecision = (decision: PermissionDecision): string => {
  switch (decision.outcome) {
    case 'grant':
      return 'Access is granted.';
    case 'deny':
      return reasons[decision.reason];
    case 'not_found':
      return missing[decision.missing];
  }
};

const memberTexts: Readonly<Record<ValidityResult | 'deleted', string>> = {
  deleted: reasons.member_deleted,
  not_started: reasons.member_not_started,
  ended: reasons.member_ended,
  inside: 'The member is valid.',
  unknown: 'The validity of the member is limited, and the time is untrusted.',
};

export const describeMemberValidity = (finding: ValidityResult | 'deleted'): string => memberTexts[finding];

const associationTexts: Readonly<Record<ValidityResult | 'group_gone', string>> = {
  group_gone: 'The group has been deleted.',
  not_started: 'The membership in this group has not started.',
  ended: 'The membership in this group has ended.',
  inside: 'The member is in this group now.',
  unknown: 'The membership in this group is limited, and the time is untrusted.',
};

export const describeAssociationValidity = (finding: ValidityResult | 'group_gone'): string =>
  associationTexts[finding];

const failures: Readonly<Record<PermissionRuleFilter['name'], string>> = {
  target: 'is for another gadget or action',
  method: 'does not allow this access method',
  schedule: 'does not apply at this time',
  presence: 'requires presence at the site',
};

/** Rules are numbered from one. Nested numbers are inherited rules. */
const ruleName = (path: readonly number[]): string => `Rule ${path.map(index => index + 1).join(' → ')}`;

export const describeIgnoredPermissionRule = (index: number): string =>
  `${ruleName([index])} refers to a deleted object.`;

export const describePermissionRuleCheck = (
  path: readonly number[],
  results: Readonly<Record<PermissionRuleFilter['name'], PermissionRuleFilterResult>>,
): string => {
  const names = Object.keys(results) as PermissionRuleFilter['name'][];
  const failed = names.find(name => results[name] === 'fail');
  if (failed !== undefined) return `${ruleName(path)} ${failures[failed]}.`;
  return names.some(name => results[name] === 'unknown')
    ? `${ruleName(path)} has a schedule, but the clock is not trusted.`
    : `${ruleName(path)} grants access.`;
};
