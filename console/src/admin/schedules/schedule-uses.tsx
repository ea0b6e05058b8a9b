import type { GadgetTriggerResponse } from '@lintel/wire-protocol/rest/gadget-trigger';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useGadgets, useApiList } from '../api/resource-hooks.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';

/** The rules of groups that use the schedule. */
export const usePermissionRulesWithSchedule = (scheduleId: string) => {
  const { allows } = useCurrentOrganization();
  const query = { limit: 100 };
  const { data: groups = [] } = useApiList<MemberGroupResponse>(
    'member_group',
    '/member_groups',
    query,
    allows('member_groups.read'),
  );
  return groups.flatMap(({ id, name, permissions }) =>
    permissions.flatMap((rule, index) => (rule.schedule_id === scheduleId ? [{ id, name, rule: index + 1 }] : [])),
  );
};

/** The triggers that start from the schedule, with the name of the door at which each ends. */
export const useTriggersWithSchedule = (scheduleId: string) => {
  const { allows } = useCurrentOrganization();
  const { data: triggers = [] } = useApiList<GadgetTriggerResponse>(
    'gadget_trigger',
    '/gadget_triggers',
    {},
    allows('gadget_triggers.read'),
  );
  const { data: doors = [] } = useGadgets();
  return triggers
    .filter(({ source_schedule_id }) => source_schedule_id === scheduleId)
    .map(({ id, target_gadget_id: target }) => ({ id, door: doors.find(door => door.id === target)?.name ?? target }));
};

/** What changes when the schedule changes: rules of groups, and triggers. */
export const ScheduleUsesList = ({ scheduleId }: { readonly scheduleId: string }) => {
  const { schedules: texts } = useMessages();
  const linkTo = useLinkTo();
  const rules = usePermissionRulesWithSchedule(scheduleId);
  const used = useTriggersWithSchedule(scheduleId);
  if (rules.length + used.length === 0) return <p class="quiet">{texts.unused}</p>;
  return (
    <ul class="entry-list">
      {rules.map(({ id, name, rule }) => (
        <li key={`${id}-${rule}`}>
          <a href={linkTo(`/groups/${id}#rule-${rule}`)}>{texts.ruleOf(name, rule)}</a>
        </li>
      ))}
      {used.map(({ id, door }) => (
        <li key={id}>{texts.triggerOf(door)}</li>
      ))}
    </ul>
  );
};
