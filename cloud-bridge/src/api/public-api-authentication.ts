import type { ApiAuthenticationDependencies } from '../accounts/authenticate-by-bearer-token-or-session-cookie.ts';
import { findRoleForScopes } from '../accounts/role-permissions.ts';
import { parseBearerToken } from '../accounts/access-token-authenticator.ts';
import { createMissingScopeError } from '../authorization/permission-error.ts';
import { ApiError } from '../http/api-error.ts';
import { type AccessTokenCaller, canCallerRead, canCallerWrite } from '../http/authenticated-caller.ts';
import type { ApiEndpoint, EndpointDescription } from './define-endpoint.ts';
import { OrganizationIdempotentResponder } from './idempotency.ts';
import type { ApiDefinition } from './serve-endpoint.ts';

/** A script token can have lost a scope, because it never permits more than its creator may do now. */
const createScopeError = (
  { isApplication, userId }: AccessTokenCaller,
  { method, isAllowedReadOnly }: EndpointDescription,
): ApiError => {
  if (!isApplication && userId !== null)
    return new ApiError('forbidden', 'The token, or the present role of the user who created it, does not permit this');
  const isRead = method === 'GET' || isAllowedReadOnly === true;
  return createMissingScopeError(...(isRead ? ['full_read_only', 'full_read_write'] : ['full_read_write']));
};

const authorize = (caller: AccessTokenCaller, endpoint: EndpointDescription): void => {
  const { method, isAllowedReadOnly } = endpoint;
  if (method === 'GET' && canCallerRead(caller)) return;
  if (method !== 'GET' && (canCallerWrite(caller) || (isAllowedReadOnly === true && canCallerRead(caller)))) return;
  throw createScopeError(caller, endpoint);
};

/** Authentication of the public API: an access token whose scope permits the request. */
export const createPublicApiDefinition = ({
  services,
  authenticator,
  rateLimiter,
  admission,
}: ApiAuthenticationDependencies): ApiDefinition<AccessTokenCaller, ApiEndpoint<AccessTokenCaller>> => ({
  prefix: '/v2',
  services,
  admission,
  idempotency: new OrganizationIdempotentResponder(services),
  authenticate: async (request, endpoint, reply) => {
    const { authorization, 'user-agent': userAgent } = request.headers;
    const identity = await authenticator.identify(authorization);
    reply.headers(rateLimiter.take(parseBearerToken(authorization)));
    rateLimiter.takeShared(identity.organizationId);
    const role = findRoleForScopes(identity.scopes);
    const caller = { ...identity, role, siteIds: null, ip: request.ip, userAgent };
    authorize(caller, endpoint);
    return caller;
  },
});
