import { ApiError } from './api-error.ts';
import type { Authenticator } from './authenticate.ts';
import { type Caller, maySee, mayWrite } from './caller.ts';
import type { Endpoint, EndpointDescription } from './endpoint.ts';
import type { Idempotency } from './idempotency.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Entrance } from './serve-endpoint.ts';

interface Gate {
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
}

const authorize = (caller: Caller, { method, allowedReadOnly }: EndpointDescription): void => {
  if (method === 'GET' && maySee(caller)) return;
  if (method !== 'GET' && (mayWrite(caller) || (allowedReadOnly === true && maySee(caller)))) return;
  throw new ApiError('forbidden', 'The token has no scope for this: it needs full_read_write');
};

/** The way into the public API: an access token whose scope allows it. */
export const tokenEntrance = (
  { authenticator, rateLimiter }: Gate,
  idempotency: Idempotency<Caller>,
): Entrance<Caller, Endpoint> => ({
  prefix: '/v2',
  idempotency,
  admit: async (request, endpoint) => {
    const { authorization, 'user-agent': userAgent } = request.headers;
    const identity = await authenticator.identify(authorization);
    rateLimiter.take(authorization ?? '');
    const caller = { ...identity, ip: request.ip, userAgent };
    authorize(caller, endpoint);
    return caller;
  },
});
