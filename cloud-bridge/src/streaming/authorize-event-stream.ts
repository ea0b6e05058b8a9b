import type { FastifyRequest } from 'fastify';
import {
  type ApiAuthenticationDependencies,
  authenticateAccount,
} from '../accounts/authenticate-by-bearer-token-or-session-cookie.ts';
import type { AuthenticatedAccount } from '../accounts/authenticated-account.ts';
import { isCrossOriginRequest } from '../accounts/csrf.ts';
import { selectActiveUserSessions } from '../accounts/user-sessions.ts';
import { authorizeInOrganization } from '../admin/admin-api-authorization.ts';
import { parseBearerToken } from '../accounts/access-token-authenticator.ts';
import { createMissingScopeError } from '../authorization/permission-error.ts';
import { ApiError } from '../http/api-error.ts';
import type { AccessTokenIdentity } from '../http/authenticated-caller.ts';
import type { ResourceViewer } from '../queries/resource-viewer-identity.ts';
import { hashToken } from '../secrets/create-and-hash-token.ts';

/** What a client of the event stream may read, for as long as `verify` does not reject with an `ApiError`. */
export interface EventStreamAccess {
  readonly viewer: ResourceViewer;
  /** The token or session that quotas count for. */
  readonly caller: string;
  readonly verify: () => Promise<unknown>;
}

/** For the stream of the public API. */
export const authorizeEventStreamByToken = async (
  { authenticator, rateLimiter }: ApiAuthenticationDependencies,
  authorization: string,
): Promise<EventStreamAccess> => {
  /** Again at each check, because a script token loses scopes with the role of its creator. */
  const verify = async (): Promise<AccessTokenIdentity> => {
    const token = await authenticator.identify(authorization);
    if (token.scopes.has('full_read_write') || token.scopes.has('full_read_only')) return token;
    throw createMissingScopeError('full_read_only', 'full_read_write');
  };
  const { organizationId, applicationId } = await verify();
  const token = parseBearerToken(authorization);
  rateLimiter.take(token);
  rateLimiter.takeShared(organizationId);
  return { viewer: { organizationId, applicationId }, caller: hashToken(token), verify };
};

/** Does not count as activity of the session, so that an open stream does not keep an idle session alive. */
const verifyIdentity = async (
  { services: { storage, clock }, authenticator }: ApiAuthenticationDependencies,
  account: AuthenticatedAccount,
  authorization: string | undefined,
): Promise<AuthenticatedAccount> => {
  if (account.identity.kind === 'token')
    return { ...account, identity: { kind: 'token', token: await authenticator.identify(authorization) } };
  const { user, token } = account.identity.session;
  const session = await selectActiveUserSessions(storage.reader, user.id, clock())
    .where('hash', '=', hashToken(token))
    .executeTakeFirst();
  if (session === undefined) throw new ApiError('unauthorized', 'The session has ended');
  return account;
};

/** For the stream of the administration API. Browsers do not protect WebSockets with CORS, so the origin is checked. */
export const authorizeAdminEventStream = async (
  authentication: ApiAuthenticationDependencies,
  request: FastifyRequest,
): Promise<EventStreamAccess> => {
  const { services } = authentication;
  const account = await authenticateAccount(request, { method: 'GET' }, authentication);
  if (account.identity.kind === 'session' && isCrossOriginRequest(request, services.publicUrl)) {
    throw new ApiError('forbidden', 'A stream with a session cookie must be opened by a page of this bridge');
  }
  const { organization_id = '' } = request.params as Record<string, string>;
  const authorize = (present: AuthenticatedAccount) =>
    authorizeInOrganization(services, present, organization_id, 'events.read');
  const viewer = await authorize(account);
  const { authorization } = request.headers;
  return {
    viewer,
    caller: hashToken(
      account.identity.kind === 'session' ? account.identity.session.token : parseBearerToken(authorization),
    ),
    verify: async () => authorize(await verifyIdentity(authentication, account, authorization)),
  };
};
