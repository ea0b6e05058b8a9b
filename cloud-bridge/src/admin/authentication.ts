import { ApiError, notFound } from '../http/api-error.ts';
import { Idempotency } from '../api/idempotency.ts';
import type { ApiAuthentication } from '../api/serve-endpoint.ts';
import type { Account } from '../accounts/account.ts';
import type { AdminCaller } from './admin-caller.ts';
import type { AccountEndpoint, AdminEndpoint } from './admin-endpoint.ts';
import { type AuthenticationServices, identify } from '../accounts/identify.ts';
import { membershipOf } from '../accounts/membership.ts';
import { allows, roleOfScopes } from '../accounts/role-permissions.ts';

const PREFIX = '/admin/v1';

const noScope = (): ApiError => new ApiError('forbidden', 'The token has no scope for this');

/** Endpoints that belong to an account and to no organization. */
export const accountAuthentication = (
  authentication: AuthenticationServices,
): ApiAuthentication<Account, AccountEndpoint> => ({
  prefix: PREFIX,
  services: authentication.services,
  idempotency: null,
  authenticate: async (request, endpoint) => {
    const account = await identify(request, endpoint, authentication);
    const { identity } = account;
    if (identity.kind === 'token' && roleOfScopes(identity.token.scopes) === null) throw noScope();
    return account;
  },
});

/** Endpoints of the organization in the path: 404 without a membership, 403 without the permission. */
export const organizationAuthentication = (
  authentication: AuthenticationServices,
): ApiAuthentication<AdminCaller, AdminEndpoint> => ({
  prefix: PREFIX,
  services: authentication.services,
  idempotency: new Idempotency(authentication.services),
  authenticate: async (request, endpoint) => {
    const account = await identify(request, endpoint, authentication);
    const { identity, ip, userAgent } = account;
    if (identity.kind === 'token' && roleOfScopes(identity.token.scopes) === null) throw noScope();
    const organizationId = (request.params as Record<string, string>)['organization_id'] ?? '';
    const storable = organizationId.isWellFormed() && !organizationId.includes('\0');
    const membership = storable
      ? await membershipOf(authentication.services.storage.reader, organizationId, account)
      : null;
    if (membership === null) throw notFound('organization', organizationId.toWellFormed());
    if (!allows(membership.role, endpoint.needs)) {
      throw new ApiError('forbidden', `A ${membership.role} may not do this: it needs ${endpoint.needs}`);
    }
    const who =
      identity.kind === 'session'
        ? { applicationId: null, userId: identity.session.user.id }
        : { applicationId: identity.token.applicationId, userId: identity.token.userId };
    return { ...who, ...membership, organizationId, ip, userAgent };
  },
});
