import type { DeskLimitsResponse } from '@lintel/wire-protocol/admin/desk-limits';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiObject } from '../api/resource-hooks.ts';

export const useDeskLimits = (isEnabled = true) =>
  useApiObject<DeskLimitsResponse>('member_group', '/desk_limits', {}, isEnabled);

const DAY_MS = 86_400_000;

/** What the user may give. Everything, unless the user is at the front desk. The bridge checks the same. */
export const useOwnLimits = () => {
  const isLimited = useCurrentOrganization().role === 'front_desk';
  const { data } = useDeskLimits(isLimited);
  const closed = new Set<string>(
    data?.member_groups.flatMap(({ member_group_id, may_give }) => (may_give ? [] : [member_group_id])),
  );
  const days = isLimited ? (data?.longest_stay_days ?? null) : null;
  return {
    isLimited,
    mayGive: (groupId: string): boolean => !isLimited || (data !== undefined && !closed.has(groupId)),
    /** The number of days that the stay exceeds; null if it does not. */
    findExceededDays: (startsAt: string | null, endsAt: string | null, now: number): number | null => {
      if (days === null) return null;
      const start = Math.max(startsAt === null ? now : Date.parse(startsAt), now);
      return endsAt === null || Date.parse(endsAt) - start > days * DAY_MS ? days : null;
    },
  };
};
