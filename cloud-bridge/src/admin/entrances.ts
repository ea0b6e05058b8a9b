import { ApiError, notFound } from '../http/api-error.ts';
import type { KeyedAnswers } from '../http/idempotency.ts';
import type { Entrance } from '../http/serve-endpoint.ts';
import type { Account, AdminCaller } from './admin-caller.ts';
import type { AccountEndpoint, AdminEndpoint } from './admin-endpoint.ts';
import { type AdminGate, identify } from './identify.ts';
import { membershipOf } from './membership.ts';
import { allows, roleOfScopes } from './role-permissions.ts';

const PREFIX = '/admin/v1';

const noScope = (): ApiError => new ApiError('forbidden', 'The token has no scope for this');

/** The way to what belongs to an account and to no organization. */
export const accountEntrance = (gate: AdminGate): Entrance<Account, AccountEndpoint> => ({
  prefix: PREFIX,
  idempotency: null,
  admit: async (request, endpoint) => {
    const account = await identify(request, endpoint, gate);
    const { identity } = account;
    if (identity.kind === 'token' && roleOfScopes(identity.token.scopes) === null) throw noScope();
    return account;
  },
});

/** The way into one organization, which the address names: 404 for who has no part in it, 403 for too small a part. */
export const organizationEntrance = (
  gate: AdminGate,
  idempotency: KeyedAnswers<AdminCaller>,
): Entrance<AdminCaller, AdminEndpoint> => ({
  prefix: PREFIX,
  idempotency,
  admit: async (request, endpoint) => {
    const account = await identify(request, endpoint, gate);
    const { identity, ip, userAgent } = account;
    if (identity.kind === 'token' && roleOfScopes(identity.token.scopes) === null) throw noScope();
    const organizationId = (request.params as Record<string, string>)['organization_id'] ?? '';
    const storable = organizationId.isWellFormed() && !organizationId.includes('\0');
    const membership = storable ? await membershipOf(gate.services.storage.reader, organizationId, account) : null;
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
