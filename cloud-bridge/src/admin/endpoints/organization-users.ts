import {
  organizationUserInvitedResponseSchema,
  organizationUserResponseSchema,
  type OrganizationUserResponse,
  createOrganizationUserRequestSchema,
  editOrganizationUserRequestSchema,
} from '@lintel/wire-protocol/admin/organization-user';
import { toDateTimeOrNull } from '@lintel/wire-protocol/schema-parts/date-time';
import { createTooManyAttemptsError } from '../../accounts/attempt-throttle.ts';
import { createSharedAttemptThrottle, type SharedAttemptThrottle } from '../../accounts/shared-attempt-throttle.ts';
import { createQuotaError, SharedQuota } from '../../http/shared-quota.ts';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import type { OrganizationCaller } from '../../http/authenticated-caller.ts';
import { createNotFoundError } from '../../http/api-error.ts';
import {
  editOrganizationUser,
  type OrganizationUser,
  selectOrganizationUsers,
  removeOrganizationUser,
} from '../../resources/organization-users.ts';
import {
  buildInvitationUrl,
  inviteOrganizationUser,
  renewInvitation,
  revokeInvitation,
  type IssuedUserInvitation,
} from '../../resources/user-invitations.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { defineAdminListEndpoint, fetchPageRows } from '../paginated-list-endpoint.ts';

const toResponse = (user: OrganizationUser): OrganizationUserResponse => ({
  id: user.user_id as OrganizationUserResponse['id'],
  email: user.email,
  name: user.name,
  role: user.role,
  site_ids: JSON.parse(user.site_ids) as OrganizationUserResponse['site_ids'],
  status: user.verified_at === null ? 'invited' : 'active',
  invitation_expires_at: toDateTimeOrNull(user.invitation_expires_at),
});

/** Invitations are messages to strangers, so their number is limited. */
const FREE_INVITATIONS_PER_ORGANIZATION = 200;
const FREE_LINKS_PER_USER = 5;
const DAY_MS = 86_400_000;
const INVITATIONS_OF_USER = { count: 200, periodMs: DAY_MS };
const INVITATIONS_OF_BRIDGE = { count: 5000, periodMs: DAY_MS };

/** `onRightsReduced` is called after the commit, so that this bridge applies it to script tokens at once. */
export const createOrganizationUserEndpoints = (
  services: BridgeServices,
  onRightsReduced: () => void,
): AdminEndpoint[] => {
  const { storage, clock, accountMailer, mailBudget } = services;
  const common = { tag: 'Users', response: organizationUserResponseSchema } as const;
  const invited = { tag: 'Users', response: organizationUserInvitedResponseSchema } as const;
  const [list, single] = [`${ORGANIZATION_PATH_PREFIX}/users`, `${ORGANIZATION_PATH_PREFIX}/users/:user_id`];
  const invitations = createSharedAttemptThrottle(storage, 'invite/organization', FREE_INVITATIONS_PER_ORGANIZATION);
  const links = createSharedAttemptThrottle(storage, 'invite/user', FREE_LINKS_PER_USER);
  const ofUser = new SharedQuota(storage, 'invite/inviter', INVITATIONS_OF_USER);
  const ofBridge = new SharedQuota(storage, 'invite/bridge', INVITATIONS_OF_BRIDGE);
  /** An inviter can belong to many organizations. */
  const limitInvitations = async ({ organizationId, userId, applicationId }: OrganizationCaller): Promise<void> => {
    const [user, bridge] = [
      await ofUser.take(userId ?? applicationId ?? organizationId, clock()),
      await ofBridge.take('', clock()),
    ];
    const waitMs = Math.max(user.waitMs, bridge.waitMs);
    if (waitMs > 0) throw createQuotaError('invitations', 'Too many invitations today. Try again later', waitMs);
    if (accountMailer.isEnabled) await mailBudget.require('other', organizationId);
  };
  const limit = async (throttle: SharedAttemptThrottle, key: string): Promise<void> => {
    const waitMs = await throttle.registerAttempt(key, clock());
    if (waitMs > 0) throw createTooManyAttemptsError(waitMs);
  };
  /** Sends the link, or returns it to the inviter if the bridge cannot send mail. */
  const deliver = ({ user, organizationName, token }: IssuedUserInvitation) => {
    const url = buildInvitationUrl(services.publicUrl, token);
    accountMailer.sendInvitation({ to: user.email, url, userId: user.user_id }, organizationName);
    return { ...toResponse(user), invitation_url: accountMailer.isEnabled ? null : url };
  };
  return [
    defineAdminListEndpoint({
      ...common,
      requiredPermission: 'users.read',
      path: list,
      summary: 'List users',
      name: 'users',
      read: ({ organizationId }, page) =>
        fetchPageRows(selectOrganizationUsers(storage.reader, organizationId), 'organization_users.user_id', page),
      idOf: ({ user_id }) => user_id,
      toObject: toResponse,
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'users.read',
      method: 'GET',
      path: single,
      summary: 'Get a user',
      handle: async ({ db, caller, params: { user_id = '' } }) => {
        const row = await selectOrganizationUsers(db, caller.organizationId)
          .where('organization_users.user_id', '=', user_id)
          .executeTakeFirst();
        if (row === undefined) throw createNotFoundError('user', user_id);
        return toResponse(row);
      },
    }),
    defineAdminEndpoint({
      ...invited,
      requiredPermission: 'users.write',
      method: 'POST',
      path: list,
      operationId: 'inviteUser',
      summary: 'Invite a user by email; the user has access after accepting the invitation',
      body: createOrganizationUserRequestSchema,
      handle: async call => {
        const { caller, body } = call;
        await limit(invitations, caller.organizationId);
        await limitInvitations(caller);
        return deliver(await writeAsCaller(call, context => inviteOrganizationUser(context, caller.role, body)));
      },
    }),
    defineAdminEndpoint({
      ...invited,
      requiredPermission: 'users.write',
      method: 'POST',
      path: `${single}/invitation`,
      operationId: 'renewUserInvitation',
      summary: 'Send a new invitation to an invited user; the earlier link becomes invalid',
      handle: async call => {
        const { caller, params } = call;
        const userId = params['user_id'] ?? '';
        await limit(links, `${caller.organizationId} ${userId}`);
        await limitInvitations(caller);
        return deliver(await writeAsCaller(call, context => renewInvitation(context, caller.role, userId)));
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'users.write',
      method: 'DELETE',
      path: `${single}/invitation`,
      operationId: 'revokeUserInvitation',
      summary: 'Revoke an invitation and remove the invited user',
      handle: async call => {
        const { caller, params } = call;
        return toResponse(
          await writeAsCaller(call, context => revokeInvitation(context, caller.role, params['user_id'] ?? '')),
        );
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'users.write',
      method: 'PATCH',
      path: single,
      summary: 'Change the role of a user or the sites of a technician',
      body: editOrganizationUserRequestSchema,
      handle: async call => {
        const { caller, params, body } = call;
        const edited = await writeAsCaller(call, context =>
          editOrganizationUser(context, caller.role, params['user_id'] ?? '', body),
        );
        onRightsReduced();
        return toResponse(edited);
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'users.write',
      method: 'DELETE',
      path: single,
      summary: 'Remove a user or an invited user from the organization',
      handle: async call => {
        const { caller, params } = call;
        const removed = await writeAsCaller(call, context =>
          removeOrganizationUser(context, caller.role, params['user_id'] ?? ''),
        );
        onRightsReduced();
        return toResponse(removed);
      },
    }),
  ];
};
