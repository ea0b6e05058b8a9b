import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { AuthorizationCode } from 'simple-oauth2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BridgeWorld } from '../../support/bridge/bridge-world.ts';
import { RecordingLogger } from '../../support/processes/recording-logger.ts';
import { CALLBACK, type House, OAuthWorld, PASSWORD } from '../../support/bridge/oauth-world.ts';

/** Clients from npm that know nothing of this project, against a bridge that really listens. */
describe('a client nobody here wrote', () => {
  let world: OAuthWorld;
  let address: string;

  beforeAll(async () => {
    const log = new RecordingLogger();
    world = new OAuthWorld(await BridgeWorld.open({ publicUrl: undefined, logger: log }), log);
    address = await world.world.bridge.listen('127.0.0.1', 0);
  });
  afterAll(() => world.world.close());

  /** The person's part: log in, allow, and be sent back. */
  const walk = async (house: House, url: string): Promise<URL> => {
    const { pathname, search, origin } = new URL(url);
    expect(origin).toBe(address);
    const visitor = world.visitor();
    await visitor.logIn(house.email, PASSWORD);
    const { location } = await visitor.submit(await visitor.get(pathname + search), { decision: 'allow' });
    return new URL(location ?? '');
  };

  const works = async (token: string): Promise<boolean> => {
    const answer = await fetch(`${address}/v2/members`, { headers: { authorization: `Bearer ${token}` } });
    return answer.status === 200;
  };

  it.each(['header', 'body'] as const)(
    'simple-oauth2, credentials in the %s, completes, refreshes and is refused on replay',
    async method => {
      const house = await world.newHouse({ clientSecret: 'a chosen + secret/€'.replace('€', '%') });
      const { clientId: id, secret } = house.application;
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
      const asked = { redirect_uri: CALLBACK, scope: 'full_read_write offline', state: 'x' };
      const code = (await walk(house, client.authorizeURL(asked))).searchParams.get('code')!;
      const first = await client.getToken({ code, redirect_uri: CALLBACK });
      expect(await works(first.token.access_token)).toBe(true);
      const second = await first.refresh();
      expect(await works(second.token.access_token)).toBe(true);
      await second.revoke('access_token');
      expect(await works(second.token.access_token)).toBe(false);
      await expect(client.getToken({ code })).rejects.toMatchObject({ output: { statusCode: 400 } });
      await expect(first.refresh()).rejects.toMatchObject({ output: { statusCode: 400 } });
      await expect(second.refresh()).rejects.toMatchObject({ output: { statusCode: 400 } });
    },
  );

  it('openid-client finds the endpoints, completes with PKCE, refreshes and is refused on replay', async () => {
    const house = await world.newHouse();
    const { clientId, secret } = house.application;
    const config = await openid.discovery(new URL(address), clientId, secret, openid.ClientSecretPost(secret), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'full_read_only offline',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
    });
    const back = await walk(house, url.href);
    const checks = { pkceCodeVerifier, expectedState };
    await expect(openid.authorizationCodeGrant(config, back, { ...checks, expectedState: 'other' })).rejects.toThrow(
      'invalid response',
    );
    const first = await openid.authorizationCodeGrant(config, back, checks);
    expect(first).toMatchObject({ token_type: 'bearer', scope: 'full_read_only offline', expires_in: 3600 });
    const second = await openid.refreshTokenGrant(config, first.refresh_token!);
    expect(await works(second.access_token)).toBe(true);
    await expect(openid.refreshTokenGrant(config, first.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect(await works(second.access_token)).toBe(false);
    await expect(openid.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({ error: 'invalid_grant' });
    await openid.tokenRevocation(config, first.access_token);
  });

  it.each(['confidential', 'public'] as const)(
    'oauth4webapi as a %s client completes, refreshes and is refused on replay',
    async kind => {
      const house = await world.newHouse({ isPublic: kind === 'public' });
      const { clientId: client_id, secret } = house.application;
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
        redirect_uri: CALLBACK,
        response_type: 'code',
        scope: 'full_read_write offline',
        state: 's',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString();
      const parameters = oauth.validateAuthResponse(server, client, await walk(house, url.href), 's');
      const exchange = async () =>
        oauth.processAuthorizationCodeResponse(
          server,
          client,
          await oauth.authorizationCodeGrantRequest(
            server,
            client,
            authentication,
            parameters,
            CALLBACK,
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
      await expect(refresh(first.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' });
      expect(await works(second.access_token)).toBe(false);
      await expect(refresh(second.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' });
      const revoked = await oauth.revocationRequest(server, client, authentication, first.access_token, insecure);
      expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
    },
  );
});
