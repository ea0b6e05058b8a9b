import type { AccessExplanationResponse } from '@lintel/wire-protocol/admin/access-explanation';
import type { AdminMessages } from '../messages/en.ts';

type Step = AccessExplanationResponse['steps'][number];

/** One step of the explanation in the language of the user. Rules are counted from 1. */
export const describeAccessExplanationStep = (
  step: Step,
  { why }: AdminMessages,
  groupName: (id: string) => string,
  /** `Day (Mon–Fri 08:00–16:00)`. */
  scheduleName: (id: string) => string | null,
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
      if (passed) return why.rulePassed(group, rule);
      if (failed_filter === 'schedule') {
        const schedules = step.rule.flatMap(({ schedule_id: id }) => (id === null ? [] : (scheduleName(id) ?? [])));
        if (schedules.length > 0) return why.outsideSchedule(group, rule, schedules.join(', '));
      }
      return why.ruleFailed[failed_filter ?? '']?.(group, rule) ?? text;
    case 'dropped_rule':
      return why.ruleDropped(group, rule);
    default:
      return text;
  }
};
