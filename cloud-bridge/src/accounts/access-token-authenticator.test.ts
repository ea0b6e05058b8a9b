import { describe, expect, it } from 'vitest';
import { hashToken } from '../secrets/create-and-hash-token.ts';
import { captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { TEST_START_TIME } from '../testing/sqlite-template.ts';
import { AccessTokenAuthenticator } from './access-token-authenticator.ts';

const test = useTestOrganization();

const addToken = async (token: string, change: { kind?: 'access' | 'refresh'; expires_at?: number } = {}) => {
  await test.database.insert('oauth_tokens', {
    hash: hashToken(token),
    kind: 'access',
    family_id: 'family',
    organization_id: test.organization.id,
    oauth_application_id: 'app_1',
    user_id: 'usr_1',
    scope: 'full_read_only offline',
    expires_at: TEST_START_TIME + 60_000,
    used_at: null,
    created_at: 0,
    details: null,
    script_token_id: null,
    script_token_name: null,
    ...change,
  });
};
const authenticator = () => new AccessTokenAuthenticator(test.database.services.storage, test.database.services.clock);
const newToken = () => `tok-${test.database.services.newId('event')}`;

describe('AccessTokenAuthenticator', () => {
  it('identifies the organization, the application, the user and the scopes', async () => {
    const token = newToken();
    await addToken(token);
    expect(await authenticator().identify(`Bearer ${token}`)).toEqual({
      organizationId: test.organization.id,
      applicationId: 'app_1',
      userId: 'usr_1',
      scopes: new Set(['full_read_only', 'offline']),
      isApplication: true,
    });
  });

  it('rejects a token that was revoked while it was read', async () => {
    const token = newToken();
    await addToken(token);
    const tokens = authenticator();
    const reading = tokens.identify(`Bearer ${token}`);
    tokens.clearCache();
    await reading;
    const { writer } = test.database.services.storage;
    await writer.deleteFrom('oauth_tokens').where('hash', '=', hashToken(token)).execute();
    expect(await captureApiError(tokens.identify(`Bearer ${token}`))).toBe('unauthorized');
  });

  it.each(['bearer', 'BEARER', 'Bearer '])('accepts the scheme as %j', async scheme => {
    const token = newToken();
    await addToken(token);
    expect((await authenticator().identify(`${scheme} ${token}`)).applicationId).toBe('app_1');
  });

  it.each([
    [undefined, 'unauthorized'],
    ['', 'unauthorized'],
    ['Bearer', 'unauthorized'],
    ['Bearer a b', 'unauthorized'],
    ['Basic abc', 'unauthorized'],
    ['Bearer unknown', 'unauthorized'],
    ['Bearer key_123', 'legacy_api_key_disabled'],
    ['key_123', 'legacy_api_key_disabled'],
  ])('rejects %j with %s', async (header, type) => {
    expect(await captureApiError(authenticator().identify(header))).toBe(type);
  });

  it('rejects a refresh token and an expired or revoked access token', async () => {
    const [refresh, expired, revoked] = [newToken(), newToken(), newToken()];
    await addToken(refresh, { kind: 'refresh' });
    await addToken(expired, { expires_at: TEST_START_TIME });
    await addToken(revoked, { expires_at: 0 });
    for (const token of [refresh, expired, revoked]) {
      expect(await captureApiError(authenticator().identify(`Bearer ${token}`))).toBe('unauthorized');
    }
  });

  it('rejects a cached token after it has expired', async () => {
    const [token, cachingAuthenticator] = [newToken(), authenticator()];
    await addToken(token, { expires_at: TEST_START_TIME + 500 });
    await cachingAuthenticator.identify(`Bearer ${token}`);
    test.database.clock.now += 500;
    expect(await captureApiError(cachingAuthenticator.identify(`Bearer ${token}`))).toBe('unauthorized');
  });

  it('reads a token once per second, and again at once after clearCache()', async () => {
    const [token, cachingAuthenticator] = [newToken(), authenticator()];
    await addToken(token);
    const readsOf = async () => {
      const before = test.database.statements.length;
      await cachingAuthenticator.identify(`Bearer ${token}`);
      return test.database.statements.length - before;
    };
    expect([await readsOf(), await readsOf()]).toEqual([1, 0]);
    cachingAuthenticator.clearCache();
    expect([await readsOf(), await readsOf()]).toEqual([1, 0]);
    test.database.clock.now += 1001;
    expect(await readsOf()).toBe(1);
    test.database.clock.now -= 5000;
    expect(await readsOf()).toBe(1);
  });
});
