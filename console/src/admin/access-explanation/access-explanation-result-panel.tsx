import type { AccessExplanationResponse } from '@lintel/wire-protocol/admin/access-explanation';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import { LoadingIndicator } from '../components/loading-indicator.tsx';
import { StatusIcon } from '../../components/status-icon.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useGadgets, useApiList } from '../api/resource-hooks.ts';
import { useLanguage } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { describeWeekRanges, toWeekRanges } from '../schedules/week-ranges.ts';
import { describeAccessExplanationStep } from './describe-access-explanation-step.ts';

interface WhyResultProps {
  readonly memberName: string;
  readonly result: AccessExplanationResponse;
  /** Beside a denial of the past: says that this is the decision of now. */
  readonly isAboutNow?: boolean;
}

/** Links to the rule that the step is about. */
const StepText = ({
  step,
  text,
}: {
  readonly step: AccessExplanationResponse['steps'][number];
  readonly text: string;
}) => {
  const { allows } = useCurrentOrganization();
  const linkTo = useLinkTo();
  const [rule] = step.rule;
  if (rule === undefined || !allows('member_groups.read')) return <>{text}</>;
  return <a href={linkTo(`/groups/${rule.member_group_id}#rule-${rule.index + 1}`)}>{text}</a>;
};

/** The decision and how it came about. */
export const AccessExplanationResultPanel = ({ memberName, result, isAboutNow = false }: WhyResultProps) => {
  const { messages, locale } = useLanguage();
  const { why, events } = messages;
  const { allows } = useCurrentOrganization();
  const { data: doors = [] } = useGadgets();
  const canReadGroups = allows('member_groups.read');
  const { data: groups, isPending } = useApiList<MemberGroupResponse>(
    'member_group',
    '/member_groups',
    { is_deleted: 'any' },
    canReadGroups,
  );
  const { data: schedules = [] } = useApiList<ScheduleResponse>('schedule', '/schedules', {}, allows('schedules.read'));
  const scheduleName = (id: string): string | null => {
    const schedule = schedules.find(one => one.id === id);
    if (schedule === undefined) return null;
    const times = describeWeekRanges(toWeekRanges(schedule.weekdays), locale) ?? messages.schedules.never;
    return `${schedule.name} (${times})`;
  };
  const linkTo = useLinkTo();
  const door = doors.find(({ id }) => id === result.gadget_id)?.name ?? '';
  const groupName = (id: string): string => groups?.find(group => group.id === id)?.name ?? id;
  if (canReadGroups && isPending) return <LoadingIndicator />;
  return (
    <div class="why-result" role="status">
      <p class="why-verdict" data-is-granted={result.is_granted ? '' : undefined}>
        <StatusIcon level={result.is_granted ? 'ok' : 'error'} />
        {result.is_granted
          ? (isAboutNow ? why.nowGranted : why.granted)(memberName, door)
          : (isAboutNow ? why.nowDenied : why.denied)(
              memberName,
              door,
              events.reasons[result.reason ?? ''] ?? result.text,
            )}
      </p>
      {!result.is_granted && allows('members.write') ? (
        <a href={linkTo(`/members/${result.member_id}#member-groups`)}>{why.giveAccess(memberName)}</a>
      ) : null}
      <h3>{isAboutNow ? why.stepsNow : why.steps}</h3>
      <ol class="why-steps">
        {result.steps.map((step, index) => (
          <li key={index} class="check">
            <StatusIcon level={step.passed ? 'ok' : 'error'} />
            <div>
              <StepText step={step} text={describeAccessExplanationStep(step, messages, groupName, scheduleName)} />
            </div>
          </li>
        ))}
      </ol>
      {result.is_complete ? null : <p class="quiet small">{why.incomplete}</p>}
    </div>
  );
};
