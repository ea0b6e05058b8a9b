import { describe, expect, it } from 'vitest';
import { mayAuthorize } from '../accounts/roles.ts';
import { isOwnSite } from '../admin/own-sites.ts';
import { errorOf } from '../test-organization.test-support.ts';
import { ApiError } from '../http/api-error.ts';
import { RateLimiter } from '../http/rate-limit.ts';
import { tokenAuthentication } from './token-authentication.ts';

describe('tokenAuthentication', () => {
  const authenticate = (
    scopes: readonly string[],
    endpoint: object,
    limiter = new RateLimiter({ perSecond: 1, burst: 9 }, () => 0),
  ) => {
    const authenticator = {
      identify: async (header: string | undefined) => {
        if (header === undefined) throw new ApiError('unauthorized', 'no token');
        return { organizationId: 'org_1', applicationId: 'app_1', userId: null, scopes: new Set(scopes) };
      },
    };
    const authentication = tokenAuthentication({ authenticator, rateLimiter: limiter, services: {} } as never);
    const request = { headers: { authorization: 'Bearer a', 'user-agent': 'curl/8' }, ip: '192.0.2.1' };
    return authentication.authenticate(request as never, endpoint as never);
  };
  const own = { allowedReadOnly: true };

  it.each([
    ['GET', ['full_read_only'], {}],
    ['GET', ['full_read_write'], {}],
    ['POST', ['full_read_write'], {}],
    ['DELETE', ['full_read_write', 'offline'], {}],
    ['POST', ['full_read_only'], own],
  ])('permits %s with %j %j', async (method, scopes, endpoint) => {
    expect(await authenticate(scopes, { method, ...endpoint })).toMatchObject({
      organizationId: 'org_1',
      ip: '192.0.2.1',
      userAgent: 'curl/8',
    });
  });

  it.each([
    ['GET', ['offline'], {}],
    ['GET', [], own],
    ['POST', ['full_read_only'], {}],
    ['PATCH', ['full_read_only', 'offline'], {}],
    ['DELETE', ['offline'], own],
  ])('forbids %s with %j %j', async (method, scopes, endpoint) => {
    expect(await errorOf(authenticate(scopes, { method, ...endpoint }))).toBe('forbidden');
  });

  it('counts forbidden requests against the rate limit too', async () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, () => 0);
    expect(await errorOf(authenticate(['offline'], { method: 'GET' }, limiter))).toBe('forbidden');
    expect(await errorOf(authenticate(['full_read_write'], { method: 'GET' }, limiter))).toBe('rate_limited');
  });
});

describe('mayAuthorize', () => {
  it.each([
    ['owner', ['full_read_write'], true],
    ['administrator', ['full_read_write', 'offline'], true],
    ['viewer', ['full_read_only', 'offline'], true],
    ['viewer', ['full_read_only', 'full_read_write'], false],
    ['technician', ['full_read_only'], false],
  ] as const)('for a %s and %j is %s', (role, scopes, expected) => {
    expect(mayAuthorize(role, scopes)).toBe(expected);
  });
});

describe('isOwnSite', () => {
  it('is true for every site without a restriction, and for the assigned ones otherwise', () => {
    const caller = (siteIds: readonly string[] | null) => ({ siteIds }) as never;
    expect(isOwnSite(caller(null), 'site_1')).toBe(true);
    expect(isOwnSite(caller(['site_1']), 'site_1')).toBe(true);
    expect(isOwnSite(caller(['site_1']), 'site_2')).toBe(false);
    expect(isOwnSite(caller([]), 'site_1')).toBe(false);
  });
});
