import type { MemberAccessResponse } from '@lintel/wire-protocol/admin/effective-access';
import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import type { MemberCardResponse } from '@lintel/wire-protocol/rest/member-card';
import type { MemberEmailResponse } from '@lintel/wire-protocol/rest/member-email';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import type { MemberGroupAssociationResponse } from '@lintel/wire-protocol/rest/member-group-association';
import type { MemberMagicLinkResponse } from '@lintel/wire-protocol/rest/member-magic-link';
import type { MemberPinResponse } from '@lintel/wire-protocol/rest/member-pin';
import type { MemberTokenResponse } from '@lintel/wire-protocol/rest/member-token';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useApiObject, useSites } from '../api/resource-hooks.ts';
import { findSiteWithCommonClock } from '../time/find-site-with-common-clock.ts';

interface Association extends MemberGroupAssociationResponse {
  readonly member_group?: MemberGroupResponse | null;
}

/** A member with everything that belongs to it. */
export interface ExpandedMember extends MemberResponse {
  readonly emails: readonly MemberEmailResponse[];
  readonly magic_links: readonly MemberMagicLinkResponse[];
  readonly pins: readonly MemberPinResponse[];
  readonly cards: readonly MemberCardResponse[];
  readonly tokens: readonly MemberTokenResponse[];
  readonly group_associations: readonly Association[];
}

const EXPAND = 'emails,magic_links,pins,cards,tokens,group_associations.member_group';

export const useMember = (memberId: string) =>
  useApiObject<ExpandedMember>('member', `/members/${memberId}`, { expand: EXPAND });

export const useMemberAccess = (memberId: string) =>
  useApiObject<MemberAccessResponse>('member', `/members/${memberId}/access`);

/** The site whose clock the dates of the member follow; undefined if the member's doors are in several time zones. */
export const useMemberClockSite = (memberId: string): string | undefined => {
  const { data: sites = [] } = useSites();
  const { data } = useMemberAccess(memberId);
  return findSiteWithCommonClock(data?.access.map(({ site_id }) => site_id) ?? [], sites);
};

/** Reloads everything about members after a change, also without the event stream. */
export const useReloadMembers = (): (() => Promise<void>) => {
  const { id } = useCurrentOrganization();
  return () => queryClient.invalidateQueries({ queryKey: [id, 'member'] });
};
