import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { CALLBACK, oauthOnBothEngines, pkcePair } from '../../support/bridge/oauth-world.ts';

const basic = (id: string, secret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

oauthOnBothEngines('the token endpoint', world => {
  it('exchanges a code with four fields, also when several redirect addresses are registered', async () => {
    const house = await world().newHouse({ redirectUris: ['https://pms.example/other', CALLBACK] });
    const told = await world().authorize(house);
    expect(Object.fromEntries(told)).toEqual({
      code: expect.any(String),
      scope: 'full_read_write offline',
      state: 'st4te',
    });
    const { status, headers, body } = await world().exchange(house, told.get('code') ?? '');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': expect.stringContaining('application/json'),
    });
    expect(body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 3600,
      scope: 'full_read_write offline',
      token_type: 'bearer',
    });
    expect(await world().asks(body['access_token'])).toBe(200);
  });

  it('gives no refresh token without the scope offline', async () => {
    const body = await world().tokens(await world().newHouse(), { scope: 'full_read_only' });
    expect(body).not.toHaveProperty('refresh_token');
    expect(body['scope']).toBe('full_read_only');
  });

  it('ends an access token after one hour', async () => {
    const { access_token } = await world().tokens(await world().newHouse());
    world().world.passSeconds(3599);
    expect(await world().asks(access_token)).toBe(200);
    world().world.passSeconds(1);
    expect(await world().asks(access_token)).toBe(401);
  });

  it('takes a code for 15 minutes', async () => {
    const house = await world().newHouse();
    const [early, late] = [await world().code(house), await world().code(house)];
    world().world.passSeconds(15 * 60 - 1);
    expect((await world().exchange(house, early)).status).toBe(200);
    world().world.passSeconds(1);
    expect(await world().exchange(house, late)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('compares a redirect_uri that is sent', async () => {
    const house = await world().newHouse({ redirectUris: [CALLBACK, 'https://pms.example/other'] });
    const same = await world().exchange(house, await world().code(house), { redirect_uri: CALLBACK });
    expect(same.status).toBe(200);
    const other = { redirect_uri: 'https://pms.example/other' };
    const refused = await world().exchange(house, await world().code(house), other);
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('takes client credentials as HTTP Basic, bare and form-encoded', async () => {
    const secret = 'a+b %/:é'.replace('é', '&=');
    const house = await world().newHouse({ clientId: `pms ${Math.random()}`, clientSecret: secret });
    const { clientId } = house.application;
    const encoded = basic(new URLSearchParams([[clientId, '']]).toString().slice(0, -1), encodeURIComponent(secret));
    for (const headers of [basic(clientId, secret), encoded]) {
      const fields = { grant_type: 'authorization_code', code: await world().code(house) };
      expect((await world().post('/oauth2/token', fields, headers)).status).toBe(200);
    }
    expect((await world().exchange(house, await world().code(house))).status).toBe(200);
  });

  it('refuses a client that does not prove itself, and logs it', async () => {
    const house = await world().newHouse();
    const code = await world().code(house);
    const { clientId, secret } = house.application;
    const seen = world().log.audits('client_refused').length;
    const fields = { grant_type: 'authorization_code', code };
    const refusals = [
      await world().exchange(house, code, { client_secret: 'wrong' }),
      await world().post('/oauth2/token', { ...fields, client_id: clientId }),
      await world().post('/oauth2/token', { ...fields, client_id: 'nobody', client_secret: 'x' }),
      await world().post('/oauth2/token', fields),
      await world().post('/oauth2/token', fields, basic(clientId, 'wrong')),
    ];
    const twice = await world().post('/oauth2/token', { ...fields, client_secret: secret }, basic(clientId, secret));
    expect(twice).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    for (const { status, headers, body } of refusals) {
      expect({ status, error: body['error'] }).toEqual({ status: 401, error: 'invalid_client' });
      expect(headers['www-authenticate']).toMatch(/^Basic /);
    }
    expect(world().log.audits('client_refused').length - seen).toBe(refusals.length);
    expect((await world().exchange(house, code)).status).toBe(200);
  });

  it('answers every mistake in RFC 6749 form', async () => {
    const house = await world().newHouse();
    const { clientId: client_id, secret: client_secret } = house.application;
    const errorOf = async (fields: Record<string, string>): Promise<string | undefined> =>
      (await world().post('/oauth2/token', { client_id, client_secret, ...fields })).body['error'];
    expect(await errorOf({})).toBe('invalid_request');
    expect(await errorOf({ grant_type: 'password', username: 'a', password: 'b' })).toBe('unsupported_grant_type');
    expect(await errorOf({ grant_type: 'client_credentials' })).toBe('unsupported_grant_type');
    expect(await errorOf({ grant_type: 'authorization_code' })).toBe('invalid_request');
    expect(await errorOf({ grant_type: 'authorization_code', code: 'x'.repeat(5000) })).toBe('invalid_grant');
    expect(await errorOf({ grant_type: 'refresh_token', refresh_token: 'é' })).toBe('invalid_request');
    const { app } = world().world.bridge;
    const json = await app.inject({ method: 'POST', url: '/oauth2/token', payload: { client_id } });
    expect([json.statusCode, json.json<object>()]).toMatchObject([400, { error: 'invalid_request' }]);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const twice = await app.inject({ method: 'POST', url: '/oauth2/token', headers, payload: 'code=1&code=2' });
    expect(twice.json<object>()).toMatchObject({ error: 'invalid_request', error_description: 'code is repeated' });
    const huge = await app.inject({
      method: 'POST',
      url: '/oauth2/token',
      headers,
      payload: `code=${'1'.repeat(20_000)}`,
    });
    expect(huge.json<object>()).toMatchObject({ error: 'invalid_request' });
  });

  it('lets exactly one of 20 exchanges of a code win, and ends what it won', async () => {
    const house = await world().newHouse();
    const code = await world().code(house);
    const seen = world().log.audits('code_replayed').length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => world().exchange(house, code)));
    const outcomes = answers.map(({ status, body }) => `${status} ${body['error'] ?? 'won'}`);
    expect(outcomes.sort()).toEqual(['200 won', ...Array<string>(19).fill('400 invalid_grant')]);
    expect(world().log.audits('code_replayed').length - seen).toBe(19);
    const won = answers.find(({ status }) => status === 200)?.body;
    expect(await world().asks(won?.['access_token'])).toBe(200);
    expect((await world().refresh(house, won?.['refresh_token'] ?? '')).status).toBe(200);
  });

  it('ends the tokens of a code that is replayed later', async () => {
    const house = await world().newHouse();
    const code = await world().code(house);
    const { body } = await world().exchange(house, code);
    expect(await world().asks(body['access_token'])).toBe(200);
    world().world.passSeconds(20 * 60);
    expect(await world().exchange(house, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await world().asks(body['access_token'])).toBe(401);
    expect((await world().refresh(house, body['refresh_token'] ?? '')).status).toBe(400);
  });

  it('keeps a code from another application, and for its own', async () => {
    const house = await world().newHouse();
    const other = { ...house, application: await world().newApplication(house.organizationId) };
    const code = await world().code(house);
    expect((await world().exchange(other, code)).body['error']).toBe('invalid_grant');
    expect((await world().exchange(house, code)).status).toBe(200);
  });

  it('rotates refresh tokens, and ends the family when an old one comes back', async () => {
    const house = await world().newHouse();
    const first = await world().tokens(house);
    const second = (await world().refresh(house, first['refresh_token']!)).body;
    expect(Object.keys(second).sort()).toEqual(Object.keys(first).sort());
    expect(second['refresh_token']).not.toBe(first['refresh_token']);
    expect(await world().asks(first['access_token'])).toBe(200);
    const third = (await world().refresh(house, second['refresh_token']!)).body;
    expect(await world().asks(third['access_token'])).toBe(200);
    const seen = world().log.audits('refresh_token_reused').length;
    const reuse = await world().refresh(house, first['refresh_token']!);
    expect(reuse).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(world().log.audits('refresh_token_reused').length - seen).toBe(1);
    for (const { access_token } of [first, second, third]) expect(await world().asks(access_token)).toBe(401);
    expect((await world().refresh(house, third['refresh_token']!)).status).toBe(400);
  });

  it('lets one of many refreshes at once win', async () => {
    const house = await world().newHouse();
    const { refresh_token } = await world().tokens(house);
    const answers = await Promise.all(Array.from({ length: 10 }, () => world().refresh(house, refresh_token!)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const won = answers.find(({ status }) => status === 200)?.body;
    expect(await world().asks(won?.['access_token'])).toBe(401);
  });

  it('refuses the refresh token of another application without harm', async () => {
    const house = await world().newHouse();
    const { refresh_token } = await world().tokens(house);
    const other = { ...house, application: await world().newApplication(house.organizationId) };
    expect((await world().refresh(other, refresh_token!)).body['error']).toBe('invalid_grant');
    expect((await world().refresh(house, refresh_token!)).status).toBe(200);
  });

  it('narrows the scope of a refresh, and widens it again up to the grant', async () => {
    const house = await world().newHouse();
    const granted = 'full_read_write full_read_only offline';
    const { refresh_token } = await world().tokens(house, { scope: granted });
    const widened = await world().refresh(house, refresh_token!, { scope: 'full_read_only everything' });
    expect(widened.body['error']).toBe('invalid_scope');
    const narrow = (await world().refresh(house, refresh_token!, { scope: 'full_read_only' })).body;
    expect(narrow['scope']).toBe('full_read_only');
    const headers = { authorization: `Bearer ${narrow['access_token']}` };
    const write = await world().world.bridge.app.inject({ method: 'POST', url: '/v2/members', headers, payload: {} });
    expect(write.statusCode).toBe(403);
    expect((await world().refresh(house, narrow['refresh_token']!)).body['scope']).toBe(granted);
  });

  it('shows a token only what its own organization has', async () => {
    const [house, other] = [await world().newHouse(), await world().newHouse()];
    const { access_token } = await world().tokens(house);
    const theirs = await world().world.client(other.organizationId, other.application.id, 'full_read_write');
    const member = await theirs.done('POST', '/members', {});
    expect(await world().asks(access_token, `/members/${member.id}`)).toBe(404);
    expect((await world().refresh(other, (await world().tokens(house))['refresh_token']!)).body['error']).toBe(
      'invalid_grant',
    );
    expect(world().log.audits('token_refused').at(-1)).toMatchObject({ level: 'warn', error: 'invalid_grant' });
  });

  it('demands PKCE of a public client, and no secret', async () => {
    const house = await world().newHouse({ isPublic: true });
    const { clientId } = house.application;
    const { verifier, challenge } = pkcePair();
    const challenged = { code_challenge: challenge, code_challenge_method: 'S256' };
    const fields = { grant_type: 'authorization_code', client_id: clientId };
    const wrong = { ...fields, code: await world().code(house, challenged), code_verifier: pkcePair().verifier };
    expect((await world().post('/oauth2/token', wrong)).body['error']).toBe('invalid_grant');
    const spent = { ...wrong, code_verifier: verifier };
    expect((await world().post('/oauth2/token', spent)).body['error']).toBe('invalid_grant');
    const without = { ...fields, code: await world().code(house, challenged) };
    expect((await world().post('/oauth2/token', without)).body['error']).toBe('invalid_grant');
    const right = { ...fields, code: await world().code(house, challenged), code_verifier: verifier };
    const { body } = await world().post('/oauth2/token', right);
    expect(await world().asks(body['access_token'])).toBe(200);
    const again = { grant_type: 'refresh_token', client_id: clientId, refresh_token: body['refresh_token']! };
    expect((await world().post('/oauth2/token', again)).status).toBe(200);
  });

  it('holds a confidential client to the PKCE it began', async () => {
    const house = await world().newHouse();
    const { verifier, challenge } = pkcePair();
    const challenged = { code_challenge: challenge, code_challenge_method: 'S256' };
    const stolen = await world().exchange(house, await world().code(house, challenged));
    expect(stolen.body['error']).toBe('invalid_grant');
    const right = await world().exchange(house, await world().code(house, challenged), { code_verifier: verifier });
    expect(right.status).toBe(200);
    const downgraded = await world().exchange(house, await world().code(house), { code_verifier: verifier });
    expect(downgraded.body['error']).toBe('invalid_grant');
  });

  it('revokes a token at once: a refresh token with its family, an access token alone', async () => {
    const house = await world().newHouse();
    const { clientId: client_id, secret: client_secret } = house.application;
    const revoke = (token: string): Promise<{ status: number }> =>
      world().post('/oauth2/revoke', { client_id, client_secret, token });
    const first = await world().tokens(house);
    expect(await world().asks(first['access_token'])).toBe(200);
    expect((await revoke(first['access_token']!)).status).toBe(200);
    expect(await world().asks(first['access_token'])).toBe(401);
    const second = (await world().refresh(house, first['refresh_token']!)).body;
    expect(await world().asks(second['access_token'])).toBe(200);
    expect((await revoke(second['refresh_token']!)).status).toBe(200);
    expect(await world().asks(second['access_token'])).toBe(401);
    expect((await world().refresh(house, second['refresh_token']!)).body['error']).toBe('invalid_grant');
    expect((await revoke('unknown')).status).toBe(200);
    const other = await world().newApplication(house.organizationId);
    const foreign = { client_id: other.clientId, client_secret: other.secret };
    const third = await world().tokens(house);
    expect((await world().post('/oauth2/revoke', { ...foreign, token: third['access_token']! })).status).toBe(400);
    expect(await world().asks(third['access_token'])).toBe(200);
    expect((await world().post('/oauth2/revoke', { client_id, token: third['access_token']! })).status).toBe(401);
  });

  it('forgets tokens that nobody can use, and no others', async () => {
    const house = await world().newHouse();
    const { refresh_token } = await world().tokens(house);
    const count = async (): Promise<number> =>
      (await world().world.bridge.services.storage.reader.selectFrom('oauth_tokens').select('hash').execute()).length;
    const before = await count();
    world().world.passSeconds(3 * 24 * 3600);
    expect((await world().refresh(house, refresh_token!)).status).toBe(200);
    expect(await count()).toBeLessThan(before);
    expect((await world().refresh(house, refresh_token!)).body['error']).toBe('invalid_grant');
    expect(world().log.audits('refresh_token_reused').at(-1)).toMatchObject({ organization_id: house.organizationId });
  });

  it('stores no token, code or secret that could be read back', async () => {
    const clientSecret = randomBytes(12).toString('hex');
    const house = await world().newHouse({ clientSecret });
    const code = await world().code(house);
    const { body } = await world().exchange(house, code);
    const { reader } = world().world.bridge.services.storage;
    const stored = JSON.stringify([
      await reader.selectFrom('oauth_tokens').selectAll().execute(),
      await reader.selectFrom('oauth_applications').selectAll().execute(),
      await reader.selectFrom('sessions').selectAll().execute(),
    ]);
    const logged = JSON.stringify(world().log.lines);
    for (const secret of [code, clientSecret, body['access_token']!, body['refresh_token']!]) {
      expect(stored.includes(secret)).toBe(false);
      expect(logged.includes(secret)).toBe(false);
    }
  });
});
