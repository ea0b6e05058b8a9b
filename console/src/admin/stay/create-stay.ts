import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import type { MemberMagicLinkRevealedResponse } from '@lintel/wire-protocol/rest/member-magic-link';
import type { MemberPinRevealedResponse } from '@lintel/wire-protocol/rest/member-pin';
import type { OrganizationClient } from '../api/organization-client.ts';
import type { DoorChoice } from './door-choices.ts';

export interface StayForm {
  readonly name: string;
  readonly email: string;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly groupIds: readonly string[];
  readonly doors: readonly DoorChoice[];
  /** Number of digits; null for no PIN. */
  readonly pinLength: number | null;
  readonly hasMagicLink: boolean;
  /** UID or printed code; empty for no card. */
  readonly card: string;
}

export interface CreatedStay {
  readonly member: MemberResponse;
  readonly pin: string | null;
  readonly link: string | null;
  /** Why a later step failed; the member exists nevertheless. */
  readonly error: Error | null;
}

const UID = /^(?:[0-9a-f]{8}|[0-9a-f]{14}|[0-9a-f]{20})$/i;

/** A UID may be written with separators; anything else is the printed code. */
export const toCardBody = (text: string): object => {
  const digits = text.replaceAll(/[\s:.-]/g, '');
  return UID.test(digits) ? { uid: digits } : { printed_code: text.trim() };
};

const groupIdOf = async (client: OrganizationClient, { door, groupId }: DoorChoice): Promise<string> => {
  if (groupId !== null) return groupId;
  const permissions = [{ gadget_id: door.id }];
  return (await client.post<MemberGroupResponse>('/member_groups', { name: door.name, permissions })).id;
};

/** Creates the member, then its groups and credentials. */
export const createStay = async (client: OrganizationClient, form: StayForm): Promise<CreatedStay> => {
  const { name, startsAt, endsAt } = form;
  const member = await client.post<MemberResponse>('/members', { name, starts_at: startsAt, ends_at: endsAt });
  const create = <T>(path: string, body: object = {}): Promise<T> =>
    client.post<T>(`/members/${member.id}/${path}`, body);
  let pin: string | null = null;
  let link: string | null = null;
  try {
    const doorGroups = await Promise.all(form.doors.map(choice => groupIdOf(client, choice)));
    for (const member_group_id of new Set([...form.groupIds, ...doorGroups]))
      await create('group_associations', { member_group_id });
    if (form.email !== '') await create('emails', { email: form.email });
    if (form.pinLength !== null)
      ({ pin } = await create<MemberPinRevealedResponse>('pins', { length: form.pinLength }));
    if (form.hasMagicLink) ({ link } = await create<MemberMagicLinkRevealedResponse>('magic_links'));
    if (form.card !== '') await create('cards', toCardBody(form.card));
    return { member, pin, link, error: null };
  } catch (error) {
    return { member, pin, link, error: error as Error };
  }
};
