import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import { StatusBadge } from '../components/status-badge.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { formatValidity } from './format-validity.ts';
import { computeMemberStatus, memberStatusLevels } from './member-status.ts';

/** A member with `expand=group_associations.member_group`. */
export interface MemberWithGroupAssociations extends MemberResponse {
  readonly group_associations?: readonly {
    readonly id: string;
    readonly member_group_id: string;
    readonly member_group?: { readonly name: string } | null;
  }[];
}

interface MemberRowProps {
  readonly member: MemberWithGroupAssociations;
  /** The site whose clock the dates follow; undefined: the default. */
  readonly siteId: string | undefined;
}

export const MemberListItem = ({ member, siteId }: MemberRowProps) => {
  const messages = useMessages();
  const { members } = messages;
  const time = useSiteTimeFormats(siteId);
  const linkTo = useLinkTo();
  const status = computeMemberStatus(member, Date.now());
  const groups = (member.group_associations ?? []).flatMap(({ member_group: group }) => group?.name ?? []);
  return (
    <a class="list-row member-row" href={linkTo(`/members/${member.id}`)}>
      <span class="member-name">{member.name === '' ? members.unnamed : member.name}</span>
      <StatusBadge level={memberStatusLevels[status]} text={members.statuses[status]} />
      <span class="quiet small">{formatValidity(member, messages, time)}</span>
      <span class="list-row-more quiet small">{groups.length === 0 ? members.noGroups : groups.join(', ')}</span>
    </a>
  );
};
