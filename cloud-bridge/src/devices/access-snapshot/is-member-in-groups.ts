import type { MemberWithCredentials } from './members-with-credentials.ts';

/** A controller with these groups has the member in its snapshot. */
export const isMemberInGroups = (
  { is_deleted, associations }: MemberWithCredentials,
  groups: ReadonlySet<string>,
): boolean =>
  is_deleted === 0 &&
  associations.some(association => association.is_deleted === 0 && groups.has(association.member_group_id));

/** A controller with these groups may have had the member in its snapshot. Removing an absent member has no effect. */
export const wasMemberEverInGroups = ({ associations }: MemberWithCredentials, groups: ReadonlySet<string>): boolean =>
  associations.some(association => groups.has(association.member_group_id));
