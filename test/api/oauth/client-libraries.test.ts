import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { AuthorizationCode } from 'simple-oauth2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REDIRECT_URI, type OAuthTenant, OAuthFixture, PASSWORD } from '../../support/bridge/oauth-fixture.ts';

describe('OAuth client libraries', () => {
  let fixture: OAuthFixture;
  let address: string;

  beforeAll(async () => {
    fixture = await OAuthFixture.open({ publicUrl: undefined });
    address = await fixture.bridge.listen('127.0.0.1', 0);
  });
  afterAll(() => fixture.close());

  /** Logs in, consents, and returns the redirect to the application. */
  const consentAt = async (tenant: OAuthTenant, url: string): Promise<URL> => {
    const { pathname, search, origin } = new URL(url);
    expect(origin).toBe(address);
    const browser = fixture.browser();
    await browser.logIn(tenant.email, PASSWORD);
    const { location } = await browser.submit(await browser.get(pathname + search), { decision: 'allow' });
    return new URL(location ?? '');
  };

  const works = async (token: string): Promise<boolean> => {
    const answer = await fetch(`${address}/v2/members`, { headers: { authorization: `Bearer ${token}` } });
    return answer.status === 200;
  };

  it.each(['header', 'body'] as const)(
    'include simple-oauth2 with credentials in the %s: authorization, refresh, rejected replay',
    async method => {
      const tenant = await fixture.newTenant({ clientSecret: 'a chosen + secret/€'.replace('€', '%') });
      const { clientId: id, secret } = tenant.application;
      const client = new AuthorizationCode({
        client: { id, secret },
        auth: {
          tokenHost: address,
          tokenPath: '/oauth2/token',
          authorizePath: '/oauth2/auth',
          revokePath: '/oauth2/revoke',
        },
        options: { authorizationMethod: method },
      });
      const authorizationRequest = { redirect_uri: REDIRECT_URI, scope: 'full_read_write offline', state: 'x' };
      const code = (await consentAt(tenant, client.authorizeURL(authorizationRequest))).searchParams.get('code')!;
      const first = await client.getToken({ code, redirect_uri: REDIRECT_URI });
      expect(await works(first.token.access_token)).toBe(true);
      const second = await first.refresh();
      expect(await works(second.token.access_token)).toBe(true);
      await second.revoke('access_token');
      expect(await works(second.token.access_token)).toBe(false);
      await expect(client.getToken({ code })).rejects.toMatchObject({ output: { statusCode: 400 } });
      fixture.bridge.advanceSeconds(60);
      await expect(first.refresh()).rejects.toMatchObject({ output: { statusCode: 400 } });
      await expect(second.refresh()).rejects.toMatchObject({ output: { statusCode: 400 } });
    },
  );

  it('include openid-client: discovery, authorization with PKCE, refresh, rejected replay', async () => {
    const tenant = await fixture.newTenant();
    const { clientId, secret } = tenant.application;
    const config = await openid.discovery(new URL(address), clientId, secret, openid.ClientSecretPost(secret), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'full_read_only offline',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
    });
    const back = await consentAt(tenant, url.href);
    const checks = { pkceCodeVerifier, expectedState };
    await expect(openid.authorizationCodeGrant(config, back, { ...checks, expectedState: 'other' })).rejects.toThrow(
      'invalid response',
    );
    const first = await openid.authorizationCodeGrant(config, back, checks);
    expect(first).toMatchObject({ token_type: 'bearer', scope: 'full_read_only offline', expires_in: 3600 });
    const second = await openid.refreshTokenGrant(config, first.refresh_token!);
    expect(await works(second.access_token)).toBe(true);
    fixture.bridge.advanceSeconds(60);
    await expect(openid.refreshTokenGrant(config, first.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect(await works(second.access_token)).toBe(false);
    await expect(openid.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({ error: 'invalid_grant' });
    await openid.tokenRevocation(config, first.access_token);
  });

  it.each(['confidential', 'public'] as const)(
    'include oauth4webapi as a %s client: authorization, refresh, rejected replay',
    async kind => {
      const tenant = await fixture.newTenant({ isPublic: kind === 'public' });
      const { clientId: client_id, secret } = tenant.application;
      const insecure = { [oauth.allowInsecureRequests]: true };
      const issuer = new URL(address);
      const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
      const server = await oauth.processDiscoveryResponse(issuer, discovered);
      const client: oauth.Client = { client_id };
      const authentication = kind === 'public' ? oauth.None() : oauth.ClientSecretBasic(secret);
      const verifier = oauth.generateRandomCodeVerifier();
      const url = new URL(server.authorization_endpoint!);
      url.search = new URLSearchParams({
        client_id,
        redirect_uri: REDIRECT_URI,
        response_type: 'code',
        scope: 'full_read_write offline',
        state: 's',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString();
      const parameters = oauth.validateAuthResponse(server, client, await consentAt(tenant, url.href), 's');
      const exchange = async () =>
        oauth.processAuthorizationCodeResponse(
          server,
          client,
          await oauth.authorizationCodeGrantRequest(
            server,
            client,
            authentication,
            parameters,
            REDIRECT_URI,
            verifier,
            insecure,
          ),
        );
      const refresh = async (token: string) =>
        oauth.processRefreshTokenResponse(
          server,
          client,
          await oauth.refreshTokenGrantRequest(server, client, authentication, token, insecure),
        );
      const first = await exchange();
      const second = await refresh(first.refresh_token!);
      expect(await works(second.access_token)).toBe(true);
      await expect(exchange()).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
      fixture.bridge.advanceSeconds(60);
      await expect(refresh(first.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' });
      expect(await works(second.access_token)).toBe(false);
      await expect(refresh(second.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' });
      const revoked = await oauth.revocationRequest(server, client, authentication, first.access_token, insecure);
      expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
    },
  );
});
