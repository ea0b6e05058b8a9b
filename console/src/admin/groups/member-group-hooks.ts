import type { MemberGroupSizesResponse } from '@lintel/wire-protocol/admin/member-group-sizes';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useGadgets, useApiList, useApiObject, useSites } from '../api/resource-hooks.ts';
import type { PermissionRuleObjects } from '../access/member-group-access.ts';

export const useMemberGroups = () => useApiList<MemberGroupResponse>('member_group', '/member_groups', { limit: 100 });

/** Members by group. */
export const useMemberGroupSizes = (): ReadonlyMap<string, number> | null => {
  const { data } = useApiObject<MemberGroupSizesResponse>('member_group_association', '/statistics/member_groups');
  if (data === undefined) return null;
  return new Map(data.member_groups.map(({ member_group_id, members }) => [member_group_id, members]));
};

/** Everything that rules refer to. */
export const usePermissionRuleObjects = (): PermissionRuleObjects => {
  const { allows } = useCurrentOrganization();
  const { data: groups = [] } = useMemberGroups();
  const { data: schedules = [] } = useApiList<ScheduleResponse>('schedule', '/schedules', {}, allows('schedules.read'));
  const { data: doors = [] } = useGadgets();
  const { data: sites = [] } = useSites();
  return { groups, schedules, doors, sites };
};

/** Reloads groups and their members after a change, also without the event stream. */
export const useReloadMemberGroups = (): (() => Promise<void>) => {
  const { id } = useCurrentOrganization();
  return async () => {
    const kinds = ['member_group', 'member_group_association', 'member'];
    await Promise.all(kinds.map(kind => queryClient.invalidateQueries({ queryKey: [id, kind] })));
  };
};
