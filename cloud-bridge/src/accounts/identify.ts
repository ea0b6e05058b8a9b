import type { FastifyRequest } from 'fastify';
import type { Account } from './account.ts';
import { audit } from './audit.ts';
import { Browser } from './browser.ts';
import { formProblem } from './form-token.ts';
import { hashToken } from '../secrets/token-hash.ts';
import { ApiError } from '../http/api-error.ts';
import type { Authenticator } from '../http/authenticate.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Services } from '../services.ts';

export interface AuthenticationServices {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
}

const CSRF_HEADER = 'x-csrf-token';

/** A cookie comes along by itself, whoever made the browser send it: a write has to prove that it is one of our pages. */
const requireOwnPage = (request: FastifyRequest, publicUrl: string, sessionToken: string): void => {
  const given = request.headers[CSRF_HEADER];
  const problem = formProblem(request, publicUrl, sessionToken, typeof given === 'string' ? given : undefined);
  if (problem === null) return;
  audit(request, 'form_refused', { problem });
  throw new ApiError('forbidden', 'A write with a session needs its X-CSRF-Token, from a page of this bridge');
};

/** A bearer token where there is one, else the cookie of somebody who is signed in. */
export const identify = async (
  request: FastifyRequest,
  { method }: { readonly method: string },
  { services, authenticator, rateLimiter }: AuthenticationServices,
): Promise<Account> => {
  const { authorization, 'user-agent': userAgent } = request.headers;
  const circumstances = { ip: request.ip, userAgent };
  const session = authorization === undefined ? await new Browser(services).session(request) : null;
  if (session === null) {
    const token = await authenticator.identify(authorization);
    rateLimiter.take(authorization ?? '');
    return { ...circumstances, identity: { kind: 'token', token } };
  }
  rateLimiter.take(hashToken(session.token));
  if (method !== 'GET') requireOwnPage(request, services.publicUrl, session.token);
  return { ...circumstances, identity: { kind: 'session', session } };
};
