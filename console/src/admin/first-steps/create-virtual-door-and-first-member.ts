import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import type { MemberPinRevealedResponse } from '@lintel/wire-protocol/rest/member-pin';
import type { OrganizationClient } from '../api/organization-client.ts';
import type { AdminMessages } from '../messages/en.ts';
import { standardPartNames } from '../messages/en/part-names.ts';

export interface FirstMember {
  readonly name: string;
  readonly pin: string;
}

const PIN_LENGTH = 4;

/**
 * A device without hardware that the bridge runs. Without input rules, its keypad opens its only door. Its actions and
 * states have the standard names, which every page shows in its own language.
 */
export const createVirtualDoor = (
  client: OrganizationClient,
  siteId: string,
  { start }: AdminMessages,
): Promise<unknown> =>
  client.post('/devices', {
    site_id: siteId,
    name: start.virtualDevice,
    product_id: 'virtual',
    gadgets: [
      {
        name: start.doorName,
        actions: [{ id: 'open', name: standardPartNames.actions.open }],
        states: [
          { id: 'locked', name: standardPartNames.states.locked },
          { id: 'unlocked', name: standardPartNames.states.unlocked },
        ],
        signals: [],
      },
    ],
  });

/** Creates a group for all doors, and the member with a PIN. An empty `pin` lets the bridge choose. */
export const createFirstMemberWithAccess = async (
  client: OrganizationClient,
  groupName: string,
  { name, pin }: FirstMember,
): Promise<FirstMember> => {
  const group = await client.post<MemberGroupResponse>('/member_groups', { name: groupName, permissions: [{}] });
  const member = await client.post<MemberResponse>('/members', { name });
  await client.post(`/members/${member.id}/group_associations`, { member_group_id: group.id });
  const body = pin === '' ? { length: PIN_LENGTH } : { pin };
  const created = await client.post<MemberPinRevealedResponse>(`/members/${member.id}/pins`, body);
  return { name, pin: created.pin };
};
