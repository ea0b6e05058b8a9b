import { useMemo } from 'preact/hooks';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiList, useSites } from '../api/resource-hooks.ts';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { listMemberGroupAccess } from '../access/member-group-access.ts';
import { findSiteWithCommonClock } from '../time/find-site-with-common-clock.ts';
import type { MemberWithGroupAssociations } from './member-list-item.tsx';

/**
 * The site whose clock the dates of a member follow: that of the doors of the member's groups. Loads groups and doors
 * only if the organization has several time zones.
 */
export const useMemberClockSites = (): ((member: MemberWithGroupAssociations) => string | undefined) => {
  const { allows } = useCurrentOrganization();
  const { data: sites = [] } = useSites();
  const hasSeveralZones = new Set(sites.flatMap(({ timezone }) => timezone ?? [])).size > 1;
  const canRead = hasSeveralZones && allows('member_groups.read') && allows('gadgets.read');
  const { data: groups = [] } = useApiList<MemberGroupResponse>(
    'member_group',
    '/member_groups',
    { limit: 100 },
    canRead,
  );
  const { data: doors = [] } = useApiList<GadgetResponse>('gadget', '/gadgets', {}, canRead);
  const canReadSchedules = canRead && allows('schedules.read');
  const { data: schedules = [] } = useApiList<ScheduleResponse>('schedule', '/schedules', {}, canReadSchedules);
  const sitesOfGroups = useMemo(
    () =>
      new Map<string, readonly string[]>(
        groups.map(({ id, permissions }) => {
          const access = listMemberGroupAccess({ groups, schedules, doors, sites }, id, permissions);
          return [id, [...new Set(access.map(({ site_id }) => site_id))]];
        }),
      ),
    [groups, schedules, doors, sites],
  );
  return ({ group_associations = [] }) =>
    findSiteWithCommonClock(
      group_associations.flatMap(({ member_group_id }) => sitesOfGroups.get(member_group_id) ?? []),
      sites,
    );
};
