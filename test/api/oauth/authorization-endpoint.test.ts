import { issueScriptTokens } from '@lintel/cloud-bridge/accounts/issue-cli-oauth-tokens';
import { addUserToOrganization } from '@lintel/cloud-bridge/testing';
import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import {
  REDIRECT_URI,
  type OAuthTenant,
  describeOAuthOnBothDatabases,
  PASSWORD,
  pkcePair,
} from '../../support/bridge/oauth-fixture.ts';

describeOAuthOnBothDatabases('OAuth authorization endpoint', oauth => {
  it('redirects with the error and the state before the login', async () => {
    const tenant = await oauth().newTenant({ redirectUris: [`${REDIRECT_URI}?from=lintel`] });
    const redirect_uri = `${REDIRECT_URI}?from=lintel`;
    const toldOf = async (more: Record<string, string>): Promise<Record<string, string>> => {
      const { status, location } = await oauth()
        .browser()
        .get(oauth().authUrl(tenant.application, { redirect_uri, ...more }));
      expect(status).toBe(302);
      expect(location?.startsWith(`${redirect_uri}&`)).toBe(true);
      return Object.fromEntries(new URL(location ?? '').searchParams);
    };
    const state = 'a b&c=+/%';
    expect(await toldOf({ response_type: 'token', state })).toMatchObject({
      error: 'unsupported_response_type',
      state,
    });
    expect(await toldOf({ response_type: '' })).toMatchObject({ error: 'invalid_request', state: 'st4te' });
    expect(await toldOf({ scope: '' })).toMatchObject({ error: 'invalid_scope' });
    expect(await toldOf({ scope: 'offline' })).toMatchObject({ error: 'invalid_scope' });
    expect(await toldOf({ scope: 'full_read_write everything' })).toMatchObject({ error: 'invalid_scope' });
    expect(await toldOf({ code_challenge: pkcePair().challenge })).toMatchObject({ error: 'invalid_request' });
    const plain = { code_challenge: pkcePair().verifier, code_challenge_method: 'plain' };
    expect(await toldOf(plain)).toMatchObject({ error: 'invalid_request' });
    const short = { code_challenge: 'short', code_challenge_method: 'S256' };
    expect(await toldOf(short)).toMatchObject({ error: 'invalid_request', from: 'lintel' });
    const repeated = `${oauth().authUrl(tenant.application, { redirect_uri })}&scope=offline`;
    const { location } = await oauth().browser().get(repeated);
    expect(new URL(location ?? '').searchParams.get('error_description')).toBe(
      "The parameter 'scope' must be given only once.",
    );
  });

  it('requires PKCE from a public application', async () => {
    const { application } = await oauth().newTenant({ isPublic: true });
    const { location } = await oauth().browser().get(oauth().authUrl(application));
    expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_request');
  });

  it('never redirects to an address that is not registered exactly, and logs the attempt', async () => {
    const { application } = await oauth().newTenant({ redirectUris: [REDIRECT_URI, 'http://localhost/cb'] });
    const addresses = [
      'https://evil.example/callback',
      `${REDIRECT_URI}/`,
      `${REDIRECT_URI}?x=1`,
      `${REDIRECT_URI}#x`,
      REDIRECT_URI.toUpperCase(),
      'https://pms.example@evil.example/callback',
      'https://pms.example/callback/../evil',
      'http://localhost:8080/other',
      'http://localhost:8080@evil.example/cb',
      'http://localhost.evil.example/cb',
      'https://localhost/cb',
      'http://127.0.0.1/cb',
      'javascript:alert(1)',
      '',
    ];
    for (const redirect_uri of addresses) {
      const seen = oauth().log.audits('authorization_request_refused').length;
      const page = await oauth().browser().get(oauth().authUrl(application, { redirect_uri }));
      expect([redirect_uri, page.status, page.location]).toEqual([redirect_uri, 400, undefined]);
      expect(page.headers['content-type']).toMatch(/^text\/html/);
      expect(oauth().log.audits('authorization_request_refused').length - seen).toBe(1);
    }
    const twice = `${oauth().authUrl(application)}&redirect_uri=https://evil.example`;
    expect(await oauth().browser().get(twice)).toMatchObject({ status: 400, location: undefined });
  });

  it('redirects to any port of a registered loopback address', async () => {
    const registered = ['http://127.0.0.1/cb', 'http://[::1]:3000/cb', 'http://localhost/cb?app=%7E'];
    const tenant = await oauth().newTenant({ redirectUris: registered });
    for (const redirect_uri of [
      'http://127.0.0.1:51004/cb',
      'http://[::1]:51004/cb',
      'http://localhost:1/cb?app=%7E',
    ]) {
      const browser = oauth().browser();
      await browser.logIn(tenant.email, PASSWORD);
      const consent = await browser.get(oauth().authUrl(tenant.application, { redirect_uri }));
      const { location } = await browser.submit(consent, { decision: 'allow' });
      expect(location?.startsWith(redirect_uri)).toBe(true);
      const code = new URL(location ?? '').searchParams.get('code') ?? '';
      expect((await oauth().exchange(tenant, code, { redirect_uri })).status).toBe(200);
    }
  });

  it('shows an error page for an unknown application', async () => {
    const unknown = { id: '', clientId: '<b>nobody</b>', secret: '' };
    const page = await oauth().browser().get(oauth().authUrl(unknown));
    expect(page).toMatchObject({ status: 400, location: undefined });
    expect(page.html).not.toContain('<b>nobody');
    expect((await oauth().browser().get('/oauth2/auth')).status).toBe(400);
    expect((await oauth().browser().get('/oauth2/auth?client_id=%00')).status).toBe(400);
  });

  it('uses the only registered redirect address by default, and adds no state', async () => {
    const tenant = await oauth().newTenant();
    const redirect = await oauth().authorize(tenant, { redirect_uri: '', state: '' });
    expect([...redirect.keys()]).toEqual(['code', 'scope']);
    expect((await oauth().exchange(tenant, redirect.get('code')!)).status).toBe(200);
  });

  it('returns from the login to the consent page with the same parameters', async () => {
    const { application, email } = await oauth().newTenant({ name: '<i>PMS</i> & Söhne' });
    const browser = oauth().browser();
    const login = await browser.follow(await browser.get(oauth().authUrl(application)));
    expect(login.html).toContain('type="password"');
    const consent = await browser.follow(await browser.submit(login, { email, password: PASSWORD }));
    expect(consent.html).toContain('&lt;i&gt;PMS&lt;/i&gt; &amp; Söhne');
    expect(consent.html).toContain('Change and delete');
    expect(consent.html).toContain('It cannot add or change administrators');
    expect(consent.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    const { status, location } = await browser.submit(consent, { decision: 'allow' });
    expect([status, new URL(location ?? '').searchParams.get('state')]).toEqual([303, 'st4te']);
  });

  it('redirects with access_denied when the user declines', async () => {
    const { application, email } = await oauth().newTenant();
    const browser = oauth().browser();
    await browser.logIn(email, PASSWORD);
    const consent = await browser.get(oauth().authUrl(application));
    const { location } = await browser.submit(consent, { decision: 'deny' });
    expect(location).toMatch(new RegExp(`^${REDIRECT_URI}\\?error=access_denied&.*state=st4te$`));
  });

  it('asks for the organization, and grants access to that one only', async () => {
    const [tenant, other] = [await oauth().newTenant(), await oauth().newTenant()];
    await addUserToOrganization(oauth().bridge.services, other.organizationId, tenant.userId, 'administrator');
    const browser = oauth().browser();
    await browser.logIn(tenant.email, PASSWORD);
    const choice = await browser.get(oauth().authUrl(tenant.application));
    expect(choice.html).toContain('Choose an organization');
    const consent = await browser.submit(choice, { organization_id: other.organizationId });
    const { location } = await browser.submit(consent, { decision: 'allow' });
    const { body } = await oauth().exchange(tenant, new URL(location ?? '').searchParams.get('code')!);
    const members = await oauth().bridge.client(other.organizationId, other.application.id, 'full_read_write');
    const member = await members.callOk('POST', '/members', {});
    expect(await oauth().statusFor(body['access_token'], `/members/${member.id}`)).toBe(200);
  });

  it('rejects an organization that the user does not belong to, and logs the attempt', async () => {
    const [tenant, other] = [await oauth().newTenant(), await oauth().newTenant()];
    const browser = oauth().browser();
    await browser.logIn(tenant.email, PASSWORD);
    const consent = await browser.get(oauth().authUrl(tenant.application));
    const seen = oauth().log.audits('organization_refused').length;
    const fields = { decision: 'allow', organization_id: other.organizationId };
    expect(await browser.submit(consent, fields)).toMatchObject({ status: 403, location: undefined });
    const chosen = `${oauth().authUrl(tenant.application)}&organization_id=${other.organizationId}`;
    expect((await browser.get(chosen)).status).toBe(403);
    expect(oauth().log.audits('organization_refused').length - seen).toBe(2);
  });

  it('limits the granted scope to the role of the user', async () => {
    const allowed = async (tenant: OAuthTenant, scope: string): Promise<boolean> => {
      const browser = oauth().browser();
      await browser.logIn(tenant.email, PASSWORD);
      const consent = await browser.get(oauth().authUrl(tenant.application, { scope }));
      const fields = { decision: 'allow', organization_id: tenant.organizationId };
      const { location } = await browser.submit(consent, fields);
      return location !== undefined;
    };
    const outcomes: Record<string, boolean[]> = {};
    for (const role of ['owner', 'administrator', 'viewer', 'technician'] as const) {
      const tenant = await oauth().newTenant({}, role);
      outcomes[role] = [
        await allowed(tenant, 'full_read_only'),
        await allowed(tenant, 'full_read_write'),
        await allowed(tenant, 'full_read_only full_read_write'),
      ];
    }
    expect(outcomes).toEqual({
      owner: [true, true, true],
      administrator: [true, true, true],
      viewer: [true, false, false],
      technician: [false, false, false],
    });
  });

  it('records the grant as an event of the user and the application', async () => {
    const tenant = await oauth().newTenant();
    const { access_token } = await oauth().tokens(tenant);
    const headers = { authorization: `Bearer ${access_token}` };
    const answer = await oauth().bridge.app.inject({ url: '/v2/events?object.type=organization', headers });
    expect(answer.json<{ data: object[] }>().data).toMatchObject([
      { verb: 'edit', subject: { user_id: tenant.userId, oauth_application_id: tenant.application.id } },
    ]);
  });

  it('revokes tokens and webhooks of a de-authorized application in that organization only', async () => {
    const [tenant, other] = [await oauth().newTenant(), await oauth().newTenant()];
    const elsewhere = await oauth().tokens({ ...other, application: tenant.application });
    const { access_token, refresh_token } = await oauth().tokens(tenant);
    const unused = await oauth().code(tenant);
    const headers = { authorization: `Bearer ${access_token}` };
    const { app, services } = oauth().bridge;
    const body = { url: 'https://pms.example/hook', filter: [{ object_type: 'member', verb: null }] };
    const created = await app.inject({ method: 'POST', url: '/v2/webhooks', headers, payload: body });
    expect(created.statusCode).toBe(200);
    const { id } = created.json<{ id: string }>();
    const owner = await openAdminSession(oauth().bridge, tenant.organizationId, 'owner');
    await owner.callOk('DELETE', `/authorizations/${tenant.application.id}`);
    oauth().bridge.advanceSeconds(2);
    expect(await oauth().statusFor(access_token)).toBe(401);
    expect((await oauth().refresh(tenant, refresh_token!)).body['error']).toBe('invalid_grant');
    expect((await oauth().exchange(tenant, unused)).body['error']).toBe('invalid_grant');
    expect(await oauth().statusFor(elsewhere['access_token'])).toBe(200);
    const { reader } = services.storage;
    const hook = await reader.selectFrom('webhooks').select('is_deleted').where('id', '=', id).executeTakeFirst();
    expect(hook?.is_deleted).toBe(1);
    const events = await reader
      .selectFrom('events')
      .select(['verb', 'object_webhook_id'])
      .where('organization_id', '=', tenant.organizationId)
      .where('verb', '=', 'delete')
      .execute();
    expect(events).toEqual([{ verb: 'delete', object_webhook_id: id }]);
  });

  it('rejects the built-in application for scripts, but refreshes its tokens', async () => {
    const { organizationId } = await oauth().newTenant();
    const { services } = oauth().bridge;
    const scope = 'full_read_only offline';
    await issueScriptTokens(services, { organizationId, scope });
    const { refresh_token } = await issueScriptTokens(services, { organizationId, scope });
    const scriptApplications = await services.storage.reader
      .selectFrom('oauth_grants')
      .innerJoin('oauth_applications', 'oauth_applications.id', 'oauth_grants.oauth_application_id')
      .select(['oauth_applications.id', 'client_id'])
      .where('oauth_grants.organization_id', '=', organizationId)
      .where('name', '=', 'cli')
      .execute();
    expect(scriptApplications).toHaveLength(1);
    const { id, client_id } = scriptApplications[0]!;
    const page = await oauth()
      .browser()
      .get(oauth().authUrl({ id, clientId: client_id, secret: '' }));
    expect(page).toMatchObject({ status: 400, location: undefined });
    const fields = { grant_type: 'refresh_token', client_id, refresh_token: refresh_token! };
    expect((await oauth().post('/oauth2/token', fields)).body).toMatchObject({ scope });
  });

  it('publishes RFC 8414 metadata', async () => {
    const answer = await oauth().bridge.app.inject('/.well-known/oauth-authorization-server');
    expect(answer.json<object>()).toMatchObject({
      issuer: 'http://bridge.test',
      authorization_endpoint: 'http://bridge.test/oauth2/auth',
      token_endpoint: 'http://bridge.test/oauth2/token',
      revocation_endpoint: 'http://bridge.test/oauth2/revoke',
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    });
  });
});
