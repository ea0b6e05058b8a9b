import type { GroupSizesResponse } from '@lintel/wire-protocol/admin/group-sizes';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import { useOrganization } from '../api/organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useGadgets, useList, useObject, useSites } from '../api/resources.ts';
import type { PermissionRuleObjects } from '../access/group-access.ts';

export const useGroups = () => useList<MemberGroupResponse>('member_group', '/member_groups', { limit: 100 });

/** Members by group. */
export const useGroupSizes = (): ReadonlyMap<string, number> | null => {
  const { data } = useObject<GroupSizesResponse>('member_group_association', '/statistics/member_groups');
  if (data === undefined) return null;
  return new Map(data.member_groups.map(({ member_group_id, members }) => [member_group_id, members]));
};

/** Everything that rules refer to. */
export const usePermissionRuleObjects = (): PermissionRuleObjects => {
  const { allows } = useOrganization();
  const { data: groups = [] } = useGroups();
  const { data: schedules = [] } = useList<ScheduleResponse>('schedule', '/schedules', {}, allows('schedules.read'));
  const { data: doors = [] } = useGadgets();
  const { data: sites = [] } = useSites();
  return { groups, schedules, doors, sites };
};

/** Reloads groups and their members after a change, also without the event stream. */
export const useReloadGroups = (): (() => Promise<void>) => {
  const { id } = useOrganization();
  return async () => {
    const kinds = ['member_group', 'member_group_association', 'member'];
    await Promise.all(kinds.map(kind => queryClient.invalidateQueries({ queryKey: [id, kind] })));
  };
};
