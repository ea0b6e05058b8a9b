import {
  memberCredentialDeliveryResponseSchema,
  memberGroupLockoutResponseSchema,
  pinDeliveryResponseSchema,
} from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import type { AuthenticatedAccount } from '../../accounts/authenticated-account.ts';
import {
  type AccountEndpoint,
  defineAdminEndpoint,
  type AdminEndpoint,
  ORGANIZATION_PATH_PREFIX,
} from '../admin-endpoint.ts';
import { findOrganizationAccessOfAccount } from '../../accounts/organization-access.ts';
import { canAccessSite } from '../site-access.ts';
import { hasPermission } from '../../accounts/role-permissions.ts';
import { createNotFoundError } from '../../http/api-error.ts';
import { defineEndpoint } from '../../api/define-endpoint.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { MemberPinRow } from '../../storage/schema.ts';
import { loadGroupLockout } from '../../devices/lockout/group.ts';
import { loadMemberLockout } from '../../devices/lockout/member.ts';
import { loadMemberCredentialDelivery, loadPinDelivery } from '../../devices/load-credential-delivery-status.ts';

const description = {
  method: 'GET',
  tag: 'Members',
  summary: 'List the doors whose controllers have confirmed a PIN',
  response: pinDeliveryResponseSchema,
} as const;

const findPin = ({ storage }: BridgeServices, id: string): Promise<MemberPinRow | undefined> =>
  storage.reader.selectFrom('member_pins').selectAll().where('id', '=', id).executeTakeFirst();

export const createCredentialDeliveryEndpoints = (services: BridgeServices): AdminEndpoint[] => [
  defineAdminEndpoint({
    ...description,
    requiredPermission: 'devices.read',
    operationId: 'getOrganizationPinReach',
    path: `${ORGANIZATION_PATH_PREFIX}/pins/:member_pin_id/reach`,
    handle: async ({ caller, params: { member_pin_id: id = '' } }) => {
      const pin = await findPin(services, id);
      if (pin?.organization_id !== caller.organizationId) throw createNotFoundError('member_pin', id);
      return loadPinDelivery(services, pin, siteId => canAccessSite(caller, siteId));
    },
  }),
  defineAdminEndpoint({
    method: 'GET',
    tag: 'Members',
    summary: 'List the controllers that have the credentials of a member',
    response: memberCredentialDeliveryResponseSchema,
    requiredPermission: 'members.read',
    path: `${ORGANIZATION_PATH_PREFIX}/members/:member_id/delivery`,
    handle: async ({ caller, reader, params: { member_id: id = '' } }) => {
      await reader.get('member', caller, id);
      const isVisible = (siteId: string): boolean => canAccessSite(caller, siteId);
      const { organizationId } = caller;
      const delivery = await loadMemberCredentialDelivery(services, organizationId, id, isVisible);
      return { ...delivery, lockout: await loadMemberLockout(services, organizationId, id, isVisible) };
    },
  }),
  defineAdminEndpoint({
    method: 'GET',
    tag: 'Member groups',
    summary: 'List the doors that members of a group lost by edited rules and schedules',
    response: memberGroupLockoutResponseSchema,
    requiredPermission: 'member_groups.read',
    path: `${ORGANIZATION_PATH_PREFIX}/member_groups/:member_group_id/lockout`,
    handle: async ({ caller, reader, params: { member_group_id: id = '' } }) => {
      await reader.get('member_group', caller, id);
      const { organizationId } = caller;
      const doors = await loadGroupLockout(services, organizationId, id, siteId => canAccessSite(caller, siteId));
      return { member_group_id: id, doors };
    },
  }),
];

/** The same endpoint without an organization in its path, since a PIN belongs to exactly one. */
export const createPinDeliveryAccountEndpoint = (services: BridgeServices): AccountEndpoint =>
  defineEndpoint<never, AuthenticatedAccount>({
    ...description,
    operationId: 'getPinReach',
    path: '/pins/:member_pin_id/reach',
    handle: async ({ caller, params: { member_pin_id: id = '' } }) => {
      const pin = await findPin(services, id);
      const access =
        pin === undefined
          ? null
          : await findOrganizationAccessOfAccount(services.storage.reader, pin.organization_id, caller);
      if (pin === undefined || access === null || !hasPermission(access, 'devices.read')) {
        throw createNotFoundError('member_pin', id);
      }
      const { siteIds } = access;
      return loadPinDelivery(services, pin, siteId => siteIds === null || siteIds.includes(siteId));
    },
  });
