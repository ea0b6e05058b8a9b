import type { ApiValidity } from '../components/validity-fields.tsx';

export const memberStatuses = ['active', 'upcoming', 'ended', 'deleted'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** A validity includes its start and excludes its end. */
export const computeMemberStatus = (
  { starts_at, ends_at, is_deleted }: ApiValidity & { readonly is_deleted: boolean },
  now: number,
): MemberStatus => {
  if (is_deleted) return 'deleted';
  if (ends_at !== null && Date.parse(ends_at) <= now) return 'ended';
  return starts_at !== null && Date.parse(starts_at) > now ? 'upcoming' : 'active';
};

/** The list filters for a status. */
export const buildMemberStatusFilter = (status: MemberStatus | null, now: string): Readonly<Record<string, string>> => {
  switch (status) {
    case 'active':
      return { valid_at: now };
    case 'upcoming':
      return { 'starts_at:gt': now };
    case 'ended':
      return { 'ends_at:le': now };
    case 'deleted':
      return { is_deleted: 'true' };
    default:
      return {};
  }
};

export const memberStatusLevels = { active: 'ok', upcoming: 'warning', ended: 'neutral', deleted: 'error' } as const;
