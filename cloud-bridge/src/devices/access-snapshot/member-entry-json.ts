import type { CredentialDigester } from '@lintel/crypto/credential-digester';
import type { GroupAssociationRecord, MemberWithCredentials } from './members-with-credentials.ts';
import { OTHER_MEMBER_GROUPS_ID } from './snapshot-without-members.ts';

export interface SnapshotMemberGroups {
  /** The groups whose members are in the snapshot of the controller. */
  readonly relevant: ReadonlySet<string>;
  /** False for a deleted group. */
  readonly exists: (groupId: string) => boolean;
}

const jsonArray = (elements: readonly string[]): string => `[${elements.join(',')}]`;

const associationJson = (
  { id, member_group_id, starts_at, ends_at }: GroupAssociationRecord,
  groups: ReadonlySet<string>,
) => {
  const group = groups.has(member_group_id) ? member_group_id : OTHER_MEMBER_GROUPS_ID;
  return `{"ends_at":${ends_at},"id":"${id}","member_group_id":"${group}","starts_at":${starts_at}}`;
};

/**
 * The snapshot entry of a member as canonical JSON: sorted keys, no spaces. Does not use `JSON.stringify` for speed:
 * snapshots contain up to hundreds of thousands of members, and no value needs escaping.
 */
export const serializeMemberEntry = (
  member: MemberWithCredentials,
  { relevant, exists }: SnapshotMemberGroups,
  digester: CredentialDigester,
): string => {
  const associations = member.associations
    .filter(association => association.is_deleted === 0 && exists(association.member_group_id))
    .map(association => associationJson(association, relevant));
  const cards = member.cards.map(({ id, uid }) => `{"digest":"${digester('card', uid)}","id":"${id}"}`);
  const pins = member.pins.map(
    ({ id, digits, isExtended }) =>
      `{"digest":"${digester('pin', digits)}",${isExtended ? '"extended":true,' : ''}"id":"${id}"}`,
  );
  const tokens = member.tokens.map(({ id, public_key }) => `{"id":"${id}","public_key":"${public_key}"}`);
  const links = member.magicLinks.map(({ id, token }) => `{"digest":"${digester('magic_link', token)}","id":"${id}"}`);
  const magicLinks = links.length === 0 ? '' : `"magic_links":${jsonArray(links)},`;
  return (
    `{"cards":${jsonArray(cards)},"ends_at":${member.ends_at},"group_associations":${jsonArray(associations)},` +
    `"id":"${member.id}","is_deleted":false,${magicLinks}"pins":${jsonArray(pins)},"starts_at":${member.starts_at},` +
    `"tokens":${jsonArray(tokens)},"type":"member"}`
  );
};
