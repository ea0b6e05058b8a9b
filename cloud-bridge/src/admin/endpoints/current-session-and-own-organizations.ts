import {
  administeredOrganizationResponseSchema,
  createOrganizationRequestSchema,
} from '@lintel/wire-protocol/admin/organization';
import { currentAdminSessionResponseSchema } from '@lintel/wire-protocol/admin/user-session';
import { listPageSchema } from '@lintel/wire-protocol/rest/list-page';
import { createQuotaError, SharedQuota } from '../../http/shared-quota.ts';
import { deriveCsrfToken } from '../../accounts/csrf.ts';
import type { UserSession } from '../../accounts/user-sessions.ts';
import { ApiError } from '../../http/api-error.ts';
import { toActor } from '../../transactions/actor.ts';
import { defineEndpoint } from '../../api/define-endpoint.ts';
import type { ListPage } from '../../queries/resource-reader.ts';
import { createOrganization } from '../../resources/organization.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { AuthenticatedAccount } from '../../accounts/authenticated-account.ts';
import type { AccountEndpoint } from '../admin-endpoint.ts';
import { paginateById, pageQueryParameterDescriptions, fetchPageRows } from '../paginated-list-endpoint.ts';
import { findRoleForScopes, isRole } from '../../accounts/role-permissions.ts';
import { toAdministeredOrganizationResponse } from './organization-and-installation.ts';

export const requireUserSession = ({ identity }: AuthenticatedAccount): UserSession => {
  if (identity.kind === 'session') return identity.session;
  throw new ApiError('forbidden', 'This endpoint requires a signed-in user, not a token');
};

/** All organizations of a signed-in user, or the single organization of a token. */
const organizationsOf = async (
  { storage }: BridgeServices,
  account: AuthenticatedAccount,
  query: object,
): Promise<ListPage> => {
  const { identity } = account;
  const activeOrganizations = storage.reader.selectFrom('organizations').selectAll().where('is_deleted', '=', 0);
  if (identity.kind === 'token') {
    const { organizationId, scopes, isApplication } = identity.token;
    const role = findRoleForScopes(scopes) ?? 'viewer';
    return paginateById(query as Record<string, unknown>, {
      name: `organizations of ${organizationId}`,
      read: ({ before }) =>
        before === null ? activeOrganizations.where('id', '=', organizationId).execute() : Promise.resolve([]),
      idOf: ({ id }) => id,
      toObject: row => toAdministeredOrganizationResponse(row, { role, isApplication }),
    });
  }
  const { id: userId } = identity.session.user;
  return paginateById(query as Record<string, unknown>, {
    name: `organizations of ${userId}`,
    read: page => {
      const ownOrganizations = activeOrganizations
        .innerJoin('organization_users', 'organization_users.organization_id', 'organizations.id')
        .select('organization_users.role')
        .where('organization_users.user_id', '=', userId);
      return fetchPageRows(ownOrganizations, 'organizations.id', page);
    },
    idOf: ({ id }) => id,
    toObject: row =>
      toAdministeredOrganizationResponse(row, { role: isRole(row.role) ? row.role : 'viewer', isApplication: false }),
  });
};

const DAY_MS = 86_400_000;
const ORGANIZATIONS_OF_USER = { count: 3, periodMs: DAY_MS };
const ORGANIZATIONS_OF_BRIDGE = { count: 30, periodMs: DAY_MS };

const ownsOrganization = async ({ storage }: BridgeServices, userId: string): Promise<boolean> => {
  const row = await storage.reader
    .selectFrom('organization_users')
    .innerJoin('organizations', 'organizations.id', 'organization_users.organization_id')
    .select('organizations.id')
    .where('organization_users.user_id', '=', userId)
    .where('organization_users.role', '=', 'owner')
    .where('organizations.is_deleted', '=', 0)
    .executeTakeFirst();
  return row !== undefined;
};

/** Every organization has quotas of its own, so their number is limited. */
const createCreationCheck = (services: BridgeServices) => {
  const { storage, clock, organizationCreation } = services;
  const ofUser = new SharedQuota(storage, 'organization/user', ORGANIZATIONS_OF_USER);
  const ofBridge = new SharedQuota(storage, 'organization/bridge', ORGANIZATIONS_OF_BRIDGE);
  return async (userId: string): Promise<void> => {
    if (organizationCreation === 'nobody')
      throw new ApiError('forbidden', 'Only the operator of this bridge can create organizations');
    if (organizationCreation === 'owners' && !(await ownsOrganization(services, userId)))
      throw new ApiError('forbidden', 'Only an owner of an organization can create another one. Ask the operator');
    const waitMs = (await ofUser.take(userId, clock())).waitMs || (await ofBridge.take('', clock())).waitMs;
    if (waitMs > 0) throw createQuotaError('organizations', 'Too many new organizations. Try again later', waitMs);
  };
};

const createOrganizationEndpoint = (services: BridgeServices): AccountEndpoint => {
  const check = createCreationCheck(services);
  return defineEndpoint<typeof createOrganizationRequestSchema, AuthenticatedAccount>({
    method: 'POST',
    path: '/organizations',
    tag: 'Account',
    summary: 'Create an organization and become its owner',
    body: createOrganizationRequestSchema,
    response: administeredOrganizationResponseSchema,
    handle: async ({ caller, body }) => {
      const { user } = requireUserSession(caller);
      await check(user.id);
      const { ip, userAgent } = caller;
      const actor = toActor({ applicationId: null, userId: user.id, ip, userAgent });
      const organization = await createOrganization(services, actor, user.id, body);
      return toAdministeredOrganizationResponse(organization, { role: 'owner', isApplication: false });
    },
  });
};

export const createAccountEndpoints = (services: BridgeServices): AccountEndpoint[] => [
  defineEndpoint<never, AuthenticatedAccount>({
    method: 'GET',
    path: '/session',
    tag: 'Account',
    summary: 'Get the signed-in user and the CSRF token for writes',
    response: currentAdminSessionResponseSchema,
    handle: async ({ caller }) => {
      const { user, token } = requireUserSession(caller);
      return { user, csrf_token: deriveCsrfToken(token) };
    },
  }),
  defineEndpoint<never, AuthenticatedAccount>({
    method: 'GET',
    path: '/organizations',
    tag: 'Account',
    summary: 'List the organizations that the caller can administer',
    response: listPageSchema(administeredOrganizationResponseSchema),
    query: pageQueryParameterDescriptions,
    handle: ({ caller, query }) => organizationsOf(services, caller, query),
  }),
  createOrganizationEndpoint(services),
];
