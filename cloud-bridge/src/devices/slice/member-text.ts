import { properPrefixesOfPin } from '@lintel/wire-protocol/mqtt/credential-digest';
import type { Digester } from '@lintel/crypto/credential-digester';
import type { AssociationRecord, MemberRecord } from './member-records.ts';
import { GROUP_ELSEWHERE } from './structure-entries.ts';

/** Which groups a controller holds members of, and which there are at all. */
export interface GroupView {
  readonly relevant: ReadonlySet<string>;
  readonly isLiving: (groupId: string) => boolean;
}

/** Whether a controller that holds these groups holds the member. */
export const isHeld = ({ is_deleted, associations }: MemberRecord, relevant: ReadonlySet<string>): boolean =>
  is_deleted === 0 && associations.some(one => one.is_deleted === 0 && relevant.has(one.member_group_id));

/** Whether it may have held the member at some time: nobody keeps track, and dropping what is not there does no harm. */
export const mayHaveHeld = ({ associations }: MemberRecord, relevant: ReadonlySet<string>): boolean =>
  associations.some(one => relevant.has(one.member_group_id));

const list = (texts: readonly string[]): string => `[${texts.join(',')}]`;

const associationText = (
  { id, member_group_id, starts_at, ends_at }: AssociationRecord,
  relevant: ReadonlySet<string>,
) => {
  const group = relevant.has(member_group_id) ? member_group_id : GROUP_ELSEWHERE;
  return `{"ends_at":${ends_at},"id":"${id}","member_group_id":"${group}","starts_at":${starts_at}}`;
};

const pinText = (digester: Digester, id: string, digits: string): string => {
  const prefixes = properPrefixesOfPin(digits).map(prefix => `"${digester('pin', prefix)}"`);
  return `{"digest":"${digester('pin', digits)}","id":"${id}","prefix_digests":${list(prefixes)}}`;
};

/**
 * The member's entry of a slice, as the text that its hash is taken of: keys in order, no space. Written out by hand
 * because slices hold members by the hundred thousand; ids, digests and keys have no character that JSON would escape.
 */
export const memberText = (member: MemberRecord, { relevant, isLiving }: GroupView, digester: Digester): string => {
  const associations = member.associations
    .filter(one => one.is_deleted === 0 && isLiving(one.member_group_id))
    .map(one => associationText(one, relevant));
  const cards = member.cards.map(({ id, uid }) => `{"digest":"${digester('card', uid)}","id":"${id}"}`);
  const pins = member.pins.map(({ id, digits }) => pinText(digester, id, digits));
  const tokens = member.tokens.map(({ id, public_key }) => `{"id":"${id}","public_key":"${public_key}"}`);
  return (
    `{"cards":${list(cards)},"ends_at":${member.ends_at},"group_associations":${list(associations)},` +
    `"id":"${member.id}","is_deleted":false,"pins":${list(pins)},"starts_at":${member.starts_at},` +
    `"tokens":${list(tokens)},"type":"member"}`
  );
};
