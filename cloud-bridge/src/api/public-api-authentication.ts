import type { ApiAuthenticationDependencies } from '../accounts/authenticate-by-bearer-token-or-session-cookie.ts';
import { findRoleForScopes } from '../accounts/role-permissions.ts';
import { parseBearerToken } from '../accounts/access-token-authenticator.ts';
import { ApiError } from '../http/api-error.ts';
import { type AccessTokenCaller, canCallerRead, canCallerWrite } from '../http/authenticated-caller.ts';
import type { ApiEndpoint, EndpointDescription } from './define-endpoint.ts';
import { OrganizationIdempotentResponder } from './idempotency.ts';
import type { ApiDefinition } from './serve-endpoint.ts';

/** A script token can have lost a scope, because it never permits more than its creator may do now. */
const missingScopeText = ({ isApplication, userId }: AccessTokenCaller): string =>
  isApplication || userId === null
    ? 'The token does not have the required scope. Request full_read_write'
    : 'The token, or the present role of the user who created it, does not permit this';

const authorize = (caller: AccessTokenCaller, { method, isAllowedReadOnly }: EndpointDescription): void => {
  if (method === 'GET' && canCallerRead(caller)) return;
  if (method !== 'GET' && (canCallerWrite(caller) || (isAllowedReadOnly === true && canCallerRead(caller)))) return;
  throw new ApiError('forbidden', missingScopeText(caller));
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
  authenticate: async (request, endpoint) => {
    const { authorization, 'user-agent': userAgent } = request.headers;
    const identity = await authenticator.identify(authorization);
    rateLimiter.take(parseBearerToken(authorization));
    rateLimiter.takeShared(identity.organizationId);
    const role = findRoleForScopes(identity.scopes);
    const caller = { ...identity, role, siteIds: null, ip: request.ip, userAgent };
    authorize(caller, endpoint);
    return caller;
  },
});
