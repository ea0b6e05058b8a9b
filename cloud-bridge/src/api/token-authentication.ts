import type { AuthenticationServices } from '../accounts/identify.ts';
import { ApiError } from '../http/api-error.ts';
import { type Caller, maySee, mayWrite } from '../http/caller.ts';
import type { Endpoint, EndpointDescription } from './endpoint.ts';
import { Idempotency } from './idempotency.ts';
import type { ApiAuthentication } from './serve-endpoint.ts';

const authorize = (caller: Caller, { method, allowedReadOnly }: EndpointDescription): void => {
  if (method === 'GET' && maySee(caller)) return;
  if (method !== 'GET' && (mayWrite(caller) || (allowedReadOnly === true && maySee(caller)))) return;
  throw new ApiError('forbidden', 'The token has no scope for this: it needs full_read_write');
};

/** The public API: an access token whose scope allows the request. */
export const tokenAuthentication = ({
  services,
  authenticator,
  rateLimiter,
}: AuthenticationServices): ApiAuthentication<Caller, Endpoint> => ({
  prefix: '/v2',
  services,
  idempotency: new Idempotency(services),
  authenticate: async (request, endpoint) => {
    const { authorization, 'user-agent': userAgent } = request.headers;
    const identity = await authenticator.identify(authorization);
    rateLimiter.take(authorization ?? '');
    const caller = { ...identity, ip: request.ip, userAgent };
    authorize(caller, endpoint);
    return caller;
  },
});
