import type { AccessExplanationResponse } from '@lintel/wire-protocol/admin/access-explanation';
import type { AdminMessages } from '../messages/en.ts';

type Step = AccessExplanationResponse['steps'][number];

/** One step of the explanation in the language of the user. Rules are counted from 1. */
export const describeAccessExplanationStep = (
  step: Step,
  { why }: AdminMessages,
  groupName: (id: string) => string,
): string => {
  const { about, finding, failed_filter, passed, text } = step;
  const link = step.rule[0];
  const group = groupName(link?.member_group_id ?? step.member_group_id ?? '');
  const rule = (link?.index ?? 0) + 1;
  switch (about) {
    case 'member':
      return why.member[finding ?? ''] ?? text;
    case 'association':
      return why.association[finding ?? '']?.(group) ?? text;
    case 'rule':
      return passed ? why.rulePassed(group, rule) : (why.ruleFailed[failed_filter ?? '']?.(group, rule) ?? text);
    case 'dropped_rule':
      return why.ruleDropped(group, rule);
    default:
      return text;
  }
};
