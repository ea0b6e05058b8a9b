import { useMemo } from 'preact/hooks';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import { useOrganization } from '../api/organization.ts';
import { useList, useSites } from '../api/resources.ts';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { listGroupAccess } from '../access/group-access.ts';
import { findCommonSite } from '../time/common-site.ts';
import type { ListedMember } from './member-list-item.tsx';

/**
 * The site whose clock the dates of a member follow: that of the doors of the member's groups. Loads groups and doors
 * only if the organization has several time zones.
 */
export const useMemberSites = (): ((member: ListedMember) => string | undefined) => {
  const { allows } = useOrganization();
  const { data: sites = [] } = useSites();
  const hasSeveralZones = new Set(sites.flatMap(({ timezone }) => timezone ?? [])).size > 1;
  const canRead = hasSeveralZones && allows('member_groups.read') && allows('gadgets.read');
  const { data: groups = [] } = useList<MemberGroupResponse>('member_group', '/member_groups', { limit: 100 }, canRead);
  const { data: doors = [] } = useList<GadgetResponse>('gadget', '/gadgets', {}, canRead);
  const canReadSchedules = canRead && allows('schedules.read');
  const { data: schedules = [] } = useList<ScheduleResponse>('schedule', '/schedules', {}, canReadSchedules);
  const sitesOfGroups = useMemo(
    () =>
      new Map<string, readonly string[]>(
        groups.map(({ id, permissions }) => {
          const access = listGroupAccess({ groups, schedules, doors, sites }, id, permissions);
          return [id, [...new Set(access.map(({ site_id }) => site_id))]];
        }),
      ),
    [groups, schedules, doors, sites],
  );
  return ({ group_associations = [] }) =>
    findCommonSite(
      group_associations.flatMap(({ member_group_id }) => sitesOfGroups.get(member_group_id) ?? []),
      sites,
    );
};
