import { deauthorizeApplication } from '@lintel/cloud-bridge/accounts/deauthorize-application';
import { cliApplication } from '@lintel/cloud-bridge/accounts/applications';
import { issueTokens } from '@lintel/cloud-bridge/accounts/tokens';
import { setRole } from '@lintel/cloud-bridge/accounts/users';
import { system } from '@lintel/cloud-bridge/writing/actor';
import { expect, it } from 'vitest';
import { CALLBACK, type House, oauthOnBothEngines, PASSWORD, pkcePair } from '../../support/bridge/oauth-world.ts';

oauthOnBothEngines('the authorization endpoint', world => {
  it('tells the application its mistakes, with its state, before anybody logs in', async () => {
    const house = await world().newHouse({ redirectUris: [`${CALLBACK}?from=lintel`] });
    const redirect_uri = `${CALLBACK}?from=lintel`;
    const toldOf = async (more: Record<string, string>): Promise<Record<string, string>> => {
      const { status, location } = await world()
        .visitor()
        .get(world().authUrl(house.application, { redirect_uri, ...more }));
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
    const repeated = `${world().authUrl(house.application, { redirect_uri })}&scope=offline`;
    const { location } = await world().visitor().get(repeated);
    expect(new URL(location ?? '').searchParams.get('error_description')).toMatch(/scope is repeated/);
  });

  it('tells a public application that it needs PKCE', async () => {
    const { application } = await world().newHouse({ isPublic: true });
    const { location } = await world().visitor().get(world().authUrl(application));
    expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_request');
  });

  it('sends nobody to an address that is not registered letter by letter, and logs it', async () => {
    const { application } = await world().newHouse({ redirectUris: [CALLBACK, 'http://localhost/cb'] });
    const addresses = [
      'https://evil.example/callback',
      `${CALLBACK}/`,
      `${CALLBACK}?x=1`,
      `${CALLBACK}#x`,
      CALLBACK.toUpperCase(),
      'https://pms.example@evil.example/callback',
      'https://pms.example/callback/../evil',
      'http://localhost:8080/cb',
      'javascript:alert(1)',
      '',
    ];
    for (const redirect_uri of addresses) {
      const seen = world().log.audits('authorization_request_refused').length;
      const page = await world().visitor().get(world().authUrl(application, { redirect_uri }));
      expect([redirect_uri, page.status, page.location]).toEqual([redirect_uri, 400, undefined]);
      expect(page.headers['content-type']).toMatch(/^text\/html/);
      expect(world().log.audits('authorization_request_refused').length - seen).toBe(1);
    }
    const twice = `${world().authUrl(application)}&redirect_uri=https://evil.example`;
    expect(await world().visitor().get(twice)).toMatchObject({ status: 400, location: undefined });
  });

  it('shows a page to whoever comes with an unknown application', async () => {
    const unknown = { id: '', clientId: '<b>nobody</b>', secret: '' };
    const page = await world().visitor().get(world().authUrl(unknown));
    expect(page).toMatchObject({ status: 400, location: undefined });
    expect(page.html).not.toContain('<b>nobody');
    expect((await world().visitor().get('/oauth2/auth')).status).toBe(400);
    expect((await world().visitor().get('/oauth2/auth?client_id=%00')).status).toBe(400);
  });

  it('takes the one registered address when none is sent, and passes no state that was not sent', async () => {
    const house = await world().newHouse();
    const told = await world().authorize(house, { redirect_uri: '', state: '' });
    expect([...told.keys()]).toEqual(['code', 'scope']);
    expect((await world().exchange(house, told.get('code')!)).status).toBe(200);
  });

  it('leads through login back to the question, with what was asked unchanged', async () => {
    const { application, email } = await world().newHouse({ name: '<i>PMS</i> & Söhne' });
    const visitor = world().visitor();
    const login = await visitor.follow(await visitor.get(world().authUrl(application)));
    expect(login.html).toContain('type="password"');
    const consent = await visitor.follow(await visitor.submit(login, { email, password: PASSWORD }));
    expect(consent.html).toContain('&lt;i&gt;PMS&lt;/i&gt; &amp; Söhne');
    expect(consent.html).toContain('Change everything');
    expect(consent.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    const { status, location } = await visitor.submit(consent, { decision: 'allow' });
    expect([status, new URL(location ?? '').searchParams.get('state')]).toEqual([303, 'st4te']);
  });

  it('sends a no to the application', async () => {
    const { application, email } = await world().newHouse();
    const visitor = world().visitor();
    await visitor.logIn(email, PASSWORD);
    const consent = await visitor.get(world().authUrl(application));
    const { location } = await visitor.submit(consent, { decision: 'deny' });
    expect(location).toMatch(new RegExp(`^${CALLBACK}\\?error=access_denied&.*state=st4te$`));
  });

  it('asks for which organization, and grants that one only', async () => {
    const [house, other] = [await world().newHouse(), await world().newHouse()];
    const { writer } = world().world.bridge.services.storage;
    await setRole(writer, { organizationId: other.organizationId, userId: house.userId }, 'administrator');
    const visitor = world().visitor();
    await visitor.logIn(house.email, PASSWORD);
    const choice = await visitor.get(world().authUrl(house.application));
    expect(choice.html).toContain('Choose an organization');
    const consent = await visitor.submit(choice, { organization_id: other.organizationId });
    const { location } = await visitor.submit(consent, { decision: 'allow' });
    const { body } = await world().exchange(house, new URL(location ?? '').searchParams.get('code')!);
    const members = await world().world.client(other.organizationId, other.application.id, 'full_read_write');
    const member = await members.done('POST', '/members', {});
    expect(await world().asks(body['access_token'], `/members/${member.id}`)).toBe(200);
  });

  it('refuses an organization that the person does not belong to, and logs it', async () => {
    const [house, other] = [await world().newHouse(), await world().newHouse()];
    const visitor = world().visitor();
    await visitor.logIn(house.email, PASSWORD);
    const consent = await visitor.get(world().authUrl(house.application));
    const seen = world().log.audits('organization_refused').length;
    const fields = { decision: 'allow', organization_id: other.organizationId };
    expect(await visitor.submit(consent, fields)).toMatchObject({ status: 403, location: undefined });
    const chosen = `${world().authUrl(house.application)}&organization_id=${other.organizationId}`;
    expect((await visitor.get(chosen)).status).toBe(403);
    expect(world().log.audits('organization_refused').length - seen).toBe(2);
  });

  it('lets nobody hand out more than their role has', async () => {
    const allowed = async (house: House, scope: string): Promise<boolean> => {
      const visitor = world().visitor();
      await visitor.logIn(house.email, PASSWORD);
      const consent = await visitor.get(world().authUrl(house.application, { scope }));
      const fields = { decision: 'allow', organization_id: house.organizationId };
      const { location } = await visitor.submit(consent, fields);
      return location !== undefined;
    };
    const outcomes: Record<string, boolean[]> = {};
    for (const role of ['owner', 'administrator', 'viewer', 'technician'] as const) {
      const house = await world().newHouse({}, role);
      outcomes[role] = [
        await allowed(house, 'full_read_only'),
        await allowed(house, 'full_read_write'),
        await allowed(house, 'full_read_only full_read_write'),
      ];
    }
    expect(outcomes).toEqual({
      owner: [true, true, true],
      administrator: [true, true, true],
      viewer: [true, false, false],
      technician: [false, false, false],
    });
  });

  it('records the grant as an event of the person and the application', async () => {
    const house = await world().newHouse();
    const { access_token } = await world().tokens(house);
    const headers = { authorization: `Bearer ${access_token}` };
    const answer = await world().world.bridge.app.inject({ url: '/v2/events?object.type=organization', headers });
    expect(answer.json<{ data: object[] }>().data).toMatchObject([
      { verb: 'edit', subject: { user_id: house.userId, oauth_application_id: house.application.id } },
    ]);
  });

  it('ends tokens and webhooks of an application that is de-authorized, there and nowhere else', async () => {
    const [house, other] = [await world().newHouse(), await world().newHouse()];
    const elsewhere = await world().tokens({ ...other, application: house.application });
    const { access_token, refresh_token } = await world().tokens(house);
    const unused = await world().code(house);
    const headers = { authorization: `Bearer ${access_token}` };
    const { app, services } = world().world.bridge;
    const body = { url: 'https://pms.example/hook', filter: [{ object_type: 'member', verb: null }] };
    const created = await app.inject({ method: 'POST', url: '/v2/webhooks', headers, payload: body });
    expect(created.statusCode).toBe(200);
    const { id } = created.json<{ id: string }>();
    const end = () =>
      services.writer.write(house.organizationId, system, context =>
        deauthorizeApplication(context, house.application.id),
      );
    await end();
    await end();
    world().world.passSeconds(2);
    expect(await world().asks(access_token)).toBe(401);
    expect((await world().refresh(house, refresh_token!)).body['error']).toBe('invalid_grant');
    expect((await world().exchange(house, unused)).body['error']).toBe('invalid_grant');
    expect(await world().asks(elsewhere['access_token'])).toBe(200);
    const { reader } = services.storage;
    const hook = await reader.selectFrom('webhooks').select('is_deleted').where('id', '=', id).executeTakeFirst();
    expect(hook?.is_deleted).toBe(1);
    const events = await reader
      .selectFrom('events')
      .select(['verb', 'object_webhook_id'])
      .where('organization_id', '=', house.organizationId)
      .where('verb', '=', 'delete')
      .execute();
    expect(events).toEqual([{ verb: 'delete', object_webhook_id: id }]);
  });

  it('never opens the built-in application of scripts to a browser, but refreshes its tokens', async () => {
    const { organizationId } = await world().newHouse();
    const { storage, newId } = world().world.bridge.services;
    const circumstances = { newId, now: world().world.now };
    const cli = await cliApplication(storage.writer, organizationId, circumstances);
    expect((await cliApplication(storage.writer, organizationId, circumstances)).id).toBe(cli.id);
    const page = await world()
      .visitor()
      .get(world().authUrl({ id: cli.id, clientId: cli.client_id, secret: '' }));
    expect(page).toMatchObject({ status: 400, location: undefined });
    const scope = 'full_read_only offline';
    const grant = { organizationId, applicationId: cli.id, userId: null, scope, familyId: cli.id };
    const { refresh_token } = await issueTokens(storage.writer, grant, world().world.now);
    const fields = { grant_type: 'refresh_token', client_id: cli.client_id, refresh_token: refresh_token! };
    expect((await world().post('/oauth2/token', fields)).body).toMatchObject({ scope });
  });

  it('describes itself as RFC 8414 says', async () => {
    const answer = await world().world.bridge.app.inject('/.well-known/oauth-authorization-server');
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
