import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import { type ApiError, createNotFoundError } from '../http/api-error.ts';
import { OrganizationIdempotentResponder } from '../api/idempotency.ts';
import type { ApiDefinition } from '../api/serve-endpoint.ts';
import type { AuthenticatedAccount } from '../accounts/authenticated-account.ts';
import type { AdminCaller } from './admin-caller.ts';
import type { AccountEndpoint, AdminEndpoint } from './admin-endpoint.ts';
import {
  authenticateAccount,
  type ApiAuthenticationDependencies,
} from '../accounts/authenticate-by-bearer-token-or-session-cookie.ts';
import { findOrganizationAccessOfAccount } from '../accounts/organization-access.ts';
import { findRoleForScopes, hasPermission } from '../accounts/role-permissions.ts';
import { createMissingScopeError, createPermissionError } from '../authorization/permission-error.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';

const PREFIX = '/admin/v1';

const missingScopeError = (): ApiError => createMissingScopeError('full_read_only', 'full_read_write');

/** For endpoints that belong to an account and to no organization. */
export const createAccountApiDefinition = (
  authentication: ApiAuthenticationDependencies,
): ApiDefinition<AuthenticatedAccount, AccountEndpoint> => ({
  prefix: PREFIX,
  services: authentication.services,
  admission: authentication.admission,
  idempotency: null,
  authenticate: async (request, endpoint) => {
    const account = await authenticateAccount(request, endpoint, authentication);
    const { identity } = account;
    if (identity.kind === 'token' && findRoleForScopes(identity.token.scopes) === null) throw missingScopeError();
    return account;
  },
});

/** 404 without access to the organization, 403 without the permission. */
export const authorizeInOrganization = async (
  { storage }: Pick<BridgeServices, 'storage'>,
  account: AuthenticatedAccount,
  organizationId: string,
  permission: AdminPermission,
): Promise<AdminCaller> => {
  const { identity, ip, userAgent } = account;
  if (identity.kind === 'token' && findRoleForScopes(identity.token.scopes) === null) throw missingScopeError();
  const isStorable = organizationId.isWellFormed() && !organizationId.includes('\0');
  const access = isStorable ? await findOrganizationAccessOfAccount(storage.reader, organizationId, account) : null;
  if (access === null) throw createNotFoundError('organization', organizationId.toWellFormed());
  if (!hasPermission(access, permission)) throw createPermissionError(access, permission);
  const actor =
    identity.kind === 'session'
      ? { applicationId: null, userId: identity.session.user.id }
      : { applicationId: identity.token.applicationId, userId: identity.token.userId };
  const authenticatedAt = identity.kind === 'session' ? identity.session.authenticatedAt : null;
  return { ...actor, ...access, authenticatedAt, organizationId, ip, userAgent };
};

/** For endpoints of the organization in the path. */
export const createAdminApiDefinition = (
  authentication: ApiAuthenticationDependencies,
): ApiDefinition<AdminCaller, AdminEndpoint> => ({
  prefix: PREFIX,
  services: authentication.services,
  admission: authentication.admission,
  idempotency: new OrganizationIdempotentResponder(authentication.services),
  authenticate: async (request, endpoint) => {
    const account = await authenticateAccount(request, endpoint, authentication);
    const organizationId = (request.params as Record<string, string>)['organization_id'] ?? '';
    return authorizeInOrganization(authentication.services, account, organizationId, endpoint.requiredPermission);
  },
});
