import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import type { MemberEmailResponse } from '@lintel/wire-protocol/rest/member-email';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import type { MemberMagicLinkRevealedResponse } from '@lintel/wire-protocol/rest/member-magic-link';
import type { MemberPinRevealedResponse } from '@lintel/wire-protocol/rest/member-pin';
import type { OrganizationClient } from '../api/organization-client.ts';
import { parseCardText } from '../credentials/parse-card-text.ts';
import { createSingleDoorPermission, type SingleDoorChoice } from './single-door-member-groups.ts';

export interface StayFormValues {
  readonly name: string;
  readonly email: string;
  /** Whether PIN and magic link are sent to the email address. */
  readonly isSent: boolean;
  /** Of the email; BCP 47. */
  readonly language: string;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly groupIds: readonly string[];
  readonly doors: readonly SingleDoorChoice[];
  /** Names the group that is created for a single door. */
  readonly nameGroup: (door: string) => string;
  /** Number of digits; null for no PIN. */
  readonly pinLength: number | null;
  readonly hasMagicLink: boolean;
  /** UID or printed code; empty for no card. */
  readonly card: string;
}

export interface CreatedStay {
  readonly member: MemberResponse;
  readonly pin: string | null;
  readonly pinId: string | null;
  readonly link: string | null;
  /** The address that PIN and link were sent to. */
  readonly sentTo: string | null;
  readonly isSendFailed: boolean;
  /** Why a later step failed; the member exists nevertheless. */
  readonly error: Error | null;
}

const groupIdOf = async (
  client: OrganizationClient,
  { door, groupId }: SingleDoorChoice,
  nameGroup: StayFormValues['nameGroup'],
): Promise<string> => {
  if (groupId !== null) return groupId;
  const group = { name: nameGroup(door.name), permissions: [createSingleDoorPermission(door)] };
  return (await client.post<MemberGroupResponse>('/member_groups', group)).id;
};

interface Created {
  readonly id: string;
}

/** False if the mail could not be sent; the credentials work nevertheless. */
const sendCredentials = async (
  create: (path: string, body: object) => Promise<unknown>,
  email: Created,
  pin: Created | null,
  link: Created | null,
): Promise<boolean> => {
  try {
    await create(`emails/${email.id}/send`, {
      member_pin_ids: pin === null ? [] : [pin.id],
      member_magic_link_ids: link === null ? [] : [link.id],
    });
    return true;
  } catch {
    return false;
  }
};

/** Creates the member, then its groups and credentials. */
export const createStay = async (client: OrganizationClient, form: StayFormValues): Promise<CreatedStay> => {
  const { name, startsAt, endsAt } = form;
  const member = await client.post<MemberResponse>('/members', {
    name,
    starts_at: startsAt,
    ends_at: endsAt,
    ...(form.isSent ? { language: form.language } : {}),
  });
  const create = <T>(path: string, body: object = {}): Promise<T> =>
    client.post<T>(`/members/${member.id}/${path}`, body);
  let pin: MemberPinRevealedResponse | null = null;
  let link: MemberMagicLinkRevealedResponse | null = null;
  let email: MemberEmailResponse | null = null;
  let error: Error | null = null;
  try {
    const doorGroups = await Promise.all(form.doors.map(choice => groupIdOf(client, choice, form.nameGroup)));
    for (const member_group_id of new Set([...form.groupIds, ...doorGroups]))
      await create('group_associations', { member_group_id });
    if (form.email !== '') email = await create<MemberEmailResponse>('emails', { email: form.email });
    if (form.pinLength !== null) pin = await create('pins', { length: form.pinLength });
    if (form.hasMagicLink) link = await create('magic_links');
    if (form.card !== '') await create('cards', parseCardText(form.card));
  } catch (problem) {
    error = problem as Error;
  }
  const isSent = form.isSent && email !== null && error === null && (await sendCredentials(create, email, pin, link));
  return {
    member,
    pin: pin?.pin ?? null,
    pinId: pin?.id ?? null,
    link: link?.link ?? null,
    sentTo: isSent ? form.email : null,
    isSendFailed: form.isSent && !isSent,
    error,
  };
};
