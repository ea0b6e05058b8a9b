import type { PermissionReason } from '../access-model.ts';
import type { Decision } from './decision.ts';
import type { RuleFilter, FilterVerdict } from './rule-filters.ts';
import type { ValidityVerdict } from './validity.ts';

const reasons: Readonly<Record<PermissionReason, string>> = {
  member_deleted: 'The member has been deleted.',
  member_not_started: 'The time of the member has not begun yet.',
  member_ended: 'The time of the member is over.',
  no_group: 'The member belongs to no group at this time.',
  no_matching_rule: 'No rule of the groups of the member is about this action.',
  method_not_allowed: 'The rules about this action do not allow this way of access.',
  out_of_schedule: 'The rules about this action do not apply at this time of the week.',
  not_present: 'The rules about this action ask for presence, and nobody was seen at the site.',
  time_untrusted: 'Every rule that would allow it has a time limit, and the time is not certain.',
};

const missing = {
  gadget: 'There is no such gadget.',
  action: 'The gadget has no such action.',
  member: 'There is no such member.',
} as const;

export const textOfDecision = (decision: Decision): string => {
  switch (decision.outcome) {
    case 'grant':
      return 'Access is allowed.';
    case 'deny':
      return reasons[decision.reason];
    case 'not_found':
      return missing[decision.missing];
  }
};

const memberTexts: Readonly<Record<ValidityVerdict | 'deleted', string>> = {
  deleted: reasons.member_deleted,
  not_started: reasons.member_not_started,
  ended: reasons.member_ended,
  inside: 'The member is valid.',
  unknown: 'The member has dates, and the time is not certain.',
};

export const textOfMember = (finding: ValidityVerdict | 'deleted'): string => memberTexts[finding];

const associationTexts: Readonly<Record<ValidityVerdict | 'group_gone', string>> = {
  group_gone: 'The group has been deleted.',
  not_started: 'The time in this group has not begun yet.',
  ended: 'The time in this group is over.',
  inside: 'The member belongs to this group now.',
  unknown: 'The time in this group is limited, and the time is not certain.',
};

export const textOfAssociation = (finding: ValidityVerdict | 'group_gone'): string => associationTexts[finding];

const failures: Readonly<Record<RuleFilter['name'], string>> = {
  target: 'is about something else',
  method: 'does not allow this way of access',
  schedule: 'does not apply at this time of the week',
  presence: 'asks for presence at the site',
};

/** People count rules from one. A rule of a rule has been inherited. */
const ruleName = (path: readonly number[]): string => `Rule ${path.map(index => index + 1).join(' → ')}`;

export const textOfDropped = (index: number): string =>
  `${ruleName([index])} refers to something that has been deleted.`;

export const textOfRule = (
  path: readonly number[],
  verdicts: Readonly<Record<RuleFilter['name'], FilterVerdict>>,
): string => {
  const names = Object.keys(verdicts) as RuleFilter['name'][];
  const failed = names.find(name => verdicts[name] === 'fail');
  if (failed !== undefined) return `${ruleName(path)} ${failures[failed]}.`;
  return names.some(name => verdicts[name] === 'unknown')
    ? `${ruleName(path)} has a schedule, and the time is not certain.`
    : `${ruleName(path)} allows it.`;
};
