import type { FastifyRequest } from 'fastify';
import type { AuthenticatedAccount } from './authenticated-account.ts';
import { logAuditEvent } from './authentication-audit-log.ts';
import { SessionCookies } from './session-cookies.ts';
import { findCsrfViolation } from './csrf.ts';
import { hashToken } from '../secrets/create-and-hash-token.ts';
import { ApiError } from '../http/api-error.ts';
import { type AccessTokenAuthenticator, parseBearerToken } from './access-token-authenticator.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { RequestAdmission } from '../http/request-admission.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';

export interface ApiAuthenticationDependencies {
  readonly services: BridgeServices;
  readonly authenticator: AccessTokenAuthenticator;
  readonly rateLimiter: RateLimiter;
  readonly admission: RequestAdmission;
}

const CSRF_HEADER = 'x-csrf-token';

/** Browsers attach cookies to requests from any site, so a write must prove that it comes from a page of this bridge. */
const requireCsrfToken = (request: FastifyRequest, publicUrl: string, sessionToken: string): void => {
  const csrfToken = request.headers[CSRF_HEADER];
  const problem = findCsrfViolation(
    request,
    publicUrl,
    sessionToken,
    typeof csrfToken === 'string' ? csrfToken : undefined,
  );
  if (problem === null) return;
  logAuditEvent(request, 'form_refused', { problem });
  throw new ApiError('forbidden', 'Writes with a session cookie require the X-CSRF-Token header of that session');
};

/** Uses the bearer token if the request has one, otherwise the session cookie. */
export const authenticateAccount = async (
  request: FastifyRequest,
  { method }: { readonly method: string },
  { services, authenticator, rateLimiter }: ApiAuthenticationDependencies,
): Promise<AuthenticatedAccount> => {
  const { authorization, 'user-agent': userAgent } = request.headers;
  const client = { ip: request.ip, userAgent };
  const session = authorization === undefined ? await new SessionCookies(services).findSession(request) : null;
  if (session === null) {
    const token = await authenticator.identify(authorization);
    rateLimiter.take(parseBearerToken(authorization));
    rateLimiter.takeShared(token.organizationId);
    return { ...client, identity: { kind: 'token', token } };
  }
  rateLimiter.take(hashToken(session.token));
  rateLimiter.takeShared(session.user.id);
  if (method !== 'GET') requireCsrfToken(request, services.publicUrl, session.token);
  return { ...client, identity: { kind: 'session', session } };
};
