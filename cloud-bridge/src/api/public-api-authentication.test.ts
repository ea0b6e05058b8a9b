import { describe, expect, it } from 'vitest';
import { captureApiError } from '../test-organization.test-support.ts';
import { ApiError } from '../http/api-error.ts';
import { RateLimiter } from '../http/rate-limit.ts';
import { createPublicApiDefinition } from './public-api-authentication.ts';

describe('createPublicApiDefinition', () => {
  const authenticate = (
    scopes: readonly string[],
    endpoint: object,
    limiter = new RateLimiter({ perSecond: 1, burst: 9 }, () => 0),
  ) => {
    const authenticator = {
      identify: async (header: string | undefined) => {
        if (header === undefined) throw new ApiError('unauthorized', 'no token');

        return {
          organizationId: 'org_1',
          applicationId: 'app_1',
          userId: null,
          scopes: new Set(scopes),
          isApplication: true,
        };
      },
    };
    const authentication = createPublicApiDefinition({ authenticator, rateLimiter: limiter, services: {} } as never);
    const request = { headers: { authorization: 'Bearer a', 'user-agent': 'curl/8' }, ip: '192.0.2.1' };
    return authentication.authenticate(request as never, endpoint as never, { headers: () => null as never });
  };
  const readOnlyWrite = { isAllowedReadOnly: true };

  it.each([
    ['GET', ['full_read_only'], {}],
    ['GET', ['full_read_write'], {}],
    ['POST', ['full_read_write'], {}],
    ['DELETE', ['full_read_write', 'offline'], {}],
    ['POST', ['full_read_only'], readOnlyWrite],
  ])('permits %s with %j %j', async (method, scopes, endpoint) => {
    expect(await authenticate(scopes, { method, ...endpoint })).toMatchObject({
      organizationId: 'org_1',
      ip: '192.0.2.1',
      userAgent: 'curl/8',
    });
  });

  it.each([
    ['GET', ['offline'], {}],
    ['GET', [], readOnlyWrite],
    ['POST', ['full_read_only'], {}],
    ['PATCH', ['full_read_only', 'offline'], {}],
    ['DELETE', ['offline'], readOnlyWrite],
  ])('forbids %s with %j %j', async (method, scopes, endpoint) => {
    expect(await captureApiError(authenticate(scopes, { method, ...endpoint }))).toBe('forbidden');
  });

  it('counts forbidden requests against the rate limit too', async () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, () => 0);
    expect(await captureApiError(authenticate(['offline'], { method: 'GET' }, limiter))).toBe('forbidden');
    expect(await captureApiError(authenticate(['full_read_write'], { method: 'GET' }, limiter))).toBe('rate_limited');
  });
});
