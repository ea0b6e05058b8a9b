import { hash, randomBytes } from 'node:crypto';
import { hashPassword } from '@lintel/cloud-bridge/accounts/passwords';
import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { REDIRECT_URI, describeOAuthOnBothDatabases, pkcePair } from '../../support/bridge/oauth-fixture.ts';

const basic = (id: string, secret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

describeOAuthOnBothDatabases('OAuth token endpoint', oauth => {
  it('exchanges a code with four fields, also with several registered redirect addresses', async () => {
    const tenant = await oauth().newTenant({ redirectUris: ['https://pms.example/other', REDIRECT_URI] });
    const redirect = await oauth().authorize(tenant);
    expect(Object.fromEntries(redirect)).toEqual({
      code: expect.any(String),
      scope: 'full_read_write offline',
      state: 'st4te',
    });
    const { status, headers, body } = await oauth().exchange(tenant, redirect.get('code') ?? '');
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
    expect(await oauth().statusFor(body['access_token'])).toBe(200);
  });

  it('issues no refresh token without the offline scope', async () => {
    const body = await oauth().tokens(await oauth().newTenant(), { scope: 'full_read_only' });
    expect(body).not.toHaveProperty('refresh_token');
    expect(body['scope']).toBe('full_read_only');
  });

  it('expires an access token after one hour', async () => {
    const { access_token } = await oauth().tokens(await oauth().newTenant());
    oauth().bridge.advanceSeconds(3599);
    expect(await oauth().statusFor(access_token)).toBe(200);
    oauth().bridge.advanceSeconds(1);
    expect(await oauth().statusFor(access_token)).toBe(401);
  });

  it('accepts a code for 15 minutes', async () => {
    const tenant = await oauth().newTenant();
    const [early, late] = [await oauth().code(tenant), await oauth().code(tenant)];
    oauth().bridge.advanceSeconds(15 * 60 - 1);
    expect((await oauth().exchange(tenant, early)).status).toBe(200);
    oauth().bridge.advanceSeconds(1);
    expect(await oauth().exchange(tenant, late)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('checks the redirect_uri if it is sent', async () => {
    const tenant = await oauth().newTenant({ redirectUris: [REDIRECT_URI, 'https://pms.example/other'] });
    const same = await oauth().exchange(tenant, await oauth().code(tenant), { redirect_uri: REDIRECT_URI });
    expect(same.status).toBe(200);
    const other = { redirect_uri: 'https://pms.example/other' };
    const refused = await oauth().exchange(tenant, await oauth().code(tenant), other);
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('accepts client credentials as HTTP Basic, plain and form-encoded', async () => {
    const secret = 'a+b %/:é'.replace('é', '&=');
    const tenant = await oauth().newTenant({ clientId: `pms ${Math.random()}`, clientSecret: secret });
    const { clientId } = tenant.application;
    const encoded = basic(new URLSearchParams([[clientId, '']]).toString().slice(0, -1), encodeURIComponent(secret));
    for (const headers of [basic(clientId, secret), encoded]) {
      const fields = { grant_type: 'authorization_code', code: await oauth().code(tenant) };
      expect((await oauth().post('/oauth2/token', fields, headers)).status).toBe(200);
    }
    expect((await oauth().exchange(tenant, await oauth().code(tenant))).status).toBe(200);
  });

  it('rejects a client without valid credentials, and logs the attempt', async () => {
    const tenant = await oauth().newTenant();
    const code = await oauth().code(tenant);
    const { clientId, secret } = tenant.application;
    const seen = oauth().log.audits('client_refused').length;
    const fields = { grant_type: 'authorization_code', code };
    const refusals = [
      await oauth().exchange(tenant, code, { client_secret: 'wrong' }),
      await oauth().post('/oauth2/token', { ...fields, client_id: clientId }),
      await oauth().post('/oauth2/token', { ...fields, client_id: 'nobody', client_secret: 'x' }),
      await oauth().post('/oauth2/token', fields),
      await oauth().post('/oauth2/token', fields, basic(clientId, 'wrong')),
    ];
    const twice = await oauth().post('/oauth2/token', { ...fields, client_secret: secret }, basic(clientId, secret));
    expect(twice).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    for (const { status, headers, body } of refusals) {
      expect({ status, error: body['error'] }).toEqual({ status: 401, error: 'invalid_client' });
      expect(headers['www-authenticate']).toMatch(/^Basic /);
    }
    expect(oauth().log.audits('client_refused').length - seen).toBe(refusals.length);
  });

  it('accepts a code for one exchange, even if that fails', async () => {
    const tenant = await oauth().newTenant();
    const { clientId } = tenant.application;
    const grant_type = 'authorization_code';
    const failing: ReadonlyArray<(code: string) => Promise<{ readonly status: number }>> = [
      code => oauth().exchange(tenant, code, { client_secret: 'wrong' }),
      code => oauth().post('/oauth2/token', { grant_type, code, client_id: clientId }),
      code => oauth().post('/oauth2/token', { grant_type, code }, basic(clientId, 'wrong')),
      code => oauth().exchange(tenant, code, { redirect_uri: 'https://pms.example/other' }),
      code => oauth().exchange(tenant, code, { code_verifier: pkcePair().verifier }),
    ];
    for (const [index, fail] of failing.entries()) {
      const code = await oauth().code(tenant);
      expect([index, (await fail(code)).status]).toEqual([index, index < 3 ? 401 : 400]);
      expect(await oauth().exchange(tenant, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    }
  });

  it('keeps a code that a request without its client names', async () => {
    const tenant = await oauth().newTenant();
    const code = await oauth().code(tenant);
    const fields = { grant_type: 'authorization_code', code };
    await oauth().post('/oauth2/token', { ...fields, client_id: 'nobody', client_secret: 'x' });
    await oauth().post('/oauth2/token', fields);
    expect((await oauth().exchange(tenant, code)).status).toBe(200);
  });

  it('reports errors in RFC 6749 format', async () => {
    const tenant = await oauth().newTenant();
    const { clientId: client_id, secret: client_secret } = tenant.application;
    const errorOf = async (fields: Record<string, string>): Promise<string | undefined> =>
      (await oauth().post('/oauth2/token', { client_id, client_secret, ...fields })).body['error'];
    expect(await errorOf({})).toBe('invalid_request');
    expect(await errorOf({ grant_type: 'password', username: 'a', password: 'b' })).toBe('unsupported_grant_type');
    expect(await errorOf({ grant_type: 'client_credentials' })).toBe('unsupported_grant_type');
    expect(await errorOf({ grant_type: 'authorization_code' })).toBe('invalid_request');
    expect(await errorOf({ grant_type: 'authorization_code', code: 'x'.repeat(5000) })).toBe('invalid_grant');
    expect(await errorOf({ grant_type: 'refresh_token', refresh_token: 'é' })).toBe('invalid_request');
    const { app } = oauth().bridge;
    const json = await app.inject({ method: 'POST', url: '/oauth2/token', payload: { client_id } });
    expect([json.statusCode, json.json<object>()]).toMatchObject([400, { error: 'invalid_request' }]);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const twice = await app.inject({ method: 'POST', url: '/oauth2/token', headers, payload: 'code=1&code=2' });
    expect(twice.json<object>()).toMatchObject({
      error: 'invalid_request',
      error_description: "The parameter 'code' must be given only once.",
    });
    const huge = await app.inject({
      method: 'POST',
      url: '/oauth2/token',
      headers,
      payload: `code=${'1'.repeat(20_000)}`,
    });
    expect(huge.json<object>()).toMatchObject({ error: 'invalid_request' });
  });

  it('accepts exactly one of 20 concurrent exchanges of a code', async () => {
    const tenant = await oauth().newTenant();
    const code = await oauth().code(tenant);
    const seen = oauth().log.audits('code_replayed').length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => oauth().exchange(tenant, code)));
    const outcomes = answers.map(({ status, body }) => `${status} ${body['error'] ?? 'won'}`);
    expect(outcomes.sort()).toEqual(['200 won', ...Array<string>(19).fill('400 invalid_grant')]);
    expect(oauth().log.audits('code_replayed').length - seen).toBe(19);
    const won = answers.find(({ status }) => status === 200)?.body;
    expect(await oauth().statusFor(won?.['access_token'])).toBe(200);
    expect((await oauth().refresh(tenant, won?.['refresh_token'] ?? '')).status).toBe(200);
  });

  it('revokes the tokens of a code that is replayed later', async () => {
    const tenant = await oauth().newTenant();
    const code = await oauth().code(tenant);
    const { body } = await oauth().exchange(tenant, code);
    expect(await oauth().statusFor(body['access_token'])).toBe(200);
    oauth().bridge.advanceSeconds(20 * 60);
    expect(await oauth().exchange(tenant, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await oauth().statusFor(body['access_token'])).toBe(401);
    expect((await oauth().refresh(tenant, body['refresh_token'] ?? '')).status).toBe(400);
  });

  it('rejects a code of another application, and keeps it valid for its own', async () => {
    const tenant = await oauth().newTenant();
    const other = { ...tenant, application: await oauth().newApplication(tenant.organizationId) };
    const code = await oauth().code(tenant);
    expect((await oauth().exchange(other, code)).body['error']).toBe('invalid_grant');
    expect((await oauth().exchange(tenant, code)).status).toBe(200);
  });

  it('rotates refresh tokens, and revokes the family when an old token is reused', async () => {
    const tenant = await oauth().newTenant();
    const first = await oauth().tokens(tenant);
    const second = (await oauth().refresh(tenant, first['refresh_token']!)).body;
    expect(Object.keys(second).sort()).toEqual(Object.keys(first).sort());
    expect(second['refresh_token']).not.toBe(first['refresh_token']);
    expect(await oauth().statusFor(first['access_token'])).toBe(200);
    const third = (await oauth().refresh(tenant, second['refresh_token']!)).body;
    expect(await oauth().statusFor(third['access_token'])).toBe(200);
    const seen = oauth().log.audits('refresh_token_reused').length;
    const reuse = await oauth().refresh(tenant, first['refresh_token']!);
    expect(reuse).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(oauth().log.audits('refresh_token_reused').length - seen).toBe(1);
    for (const { access_token } of [first, second, third]) expect(await oauth().statusFor(access_token)).toBe(401);
    expect((await oauth().refresh(tenant, third['refresh_token']!)).status).toBe(400);
  });

  it('gives concurrent and repeated refreshes within a minute the same tokens', async () => {
    const tenant = await oauth().newTenant();
    const { refresh_token } = await oauth().tokens(tenant);
    const answers = await Promise.all(Array.from({ length: 10 }, () => oauth().refresh(tenant, refresh_token!)));
    const first = answers[0]!.body;
    for (const { status, body } of answers) expect([status, body]).toEqual([200, first]);
    oauth().bridge.advanceSeconds(59);
    const late = (await oauth().refresh(tenant, refresh_token!)).body;
    expect(late).toEqual({ ...first, expires_in: 3600 - 59 });
    expect(await oauth().statusFor(first['access_token'])).toBe(200);
    expect((await oauth().refresh(tenant, first['refresh_token']!)).status).toBe(200);
  });

  it('ends a refresh token that is not used for 90 days, and renews it with each use', async () => {
    const tenant = await oauth().newTenant();
    const days = (count: number) => oauth().bridge.advanceSeconds(count * 86_400);
    const endsAt = async () => {
      const owner = await openAdminSession(oauth().bridge, tenant.organizationId, 'owner');
      return (await owner.callOk('GET', '/authorizations')).data.map(({ ends_at }) => ends_at);
    };
    let token = (await oauth().tokens(tenant)).refresh_token!;
    for (let round = 0; round < 3; round++) {
      days(89);
      token = (await oauth().refresh(tenant, token)).body['refresh_token']!;
    }
    const end = new Date(oauth().bridge.now + 90 * 86_400_000).toISOString();
    expect((await endsAt()).map(at => new Date(String(at)).toISOString())).toEqual([end]);
    days(90);
    const seen = oauth().log.audits('refresh_token_reused').length;
    expect(await oauth().refresh(tenant, token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(oauth().log.audits('refresh_token_reused')).toHaveLength(seen);
    expect(await endsAt()).toEqual([null]);
  });

  it('revokes the family when a refresh token is used again after a minute', async () => {
    const tenant = await oauth().newTenant();
    const { refresh_token } = await oauth().tokens(tenant);
    const next = (await oauth().refresh(tenant, refresh_token!)).body;
    oauth().bridge.advanceSeconds(60);
    expect((await oauth().refresh(tenant, refresh_token!)).body['error']).toBe('invalid_grant');
    expect(await oauth().statusFor(next['access_token'])).toBe(401);
    expect((await oauth().refresh(tenant, next['refresh_token']!)).status).toBe(400);
  });

  it('returns the successor of a refresh token neither to another application nor after a revocation', async () => {
    const tenant = await oauth().newTenant();
    const { refresh_token } = await oauth().tokens(tenant);
    const next = (await oauth().refresh(tenant, refresh_token!)).body;
    const other = { ...tenant, application: await oauth().newApplication(tenant.organizationId) };
    expect((await oauth().refresh(other, refresh_token!)).body['error']).toBe('invalid_grant');
    expect((await oauth().refresh(tenant, refresh_token!)).body).toEqual(next);
    const { clientId: client_id, secret: client_secret } = tenant.application;
    await oauth().post('/oauth2/revoke', { client_id, client_secret, token: next['refresh_token']! });
    expect((await oauth().refresh(tenant, refresh_token!)).body['error']).toBe('invalid_grant');
  });

  it('throttles wrong client secrets by client and address', async () => {
    const [tenant, other] = [await oauth().newTenant(), await oauth().newTenant()];
    const { refresh_token } = await oauth().tokens(tenant);
    const wrong = { client_secret: 'wrong' };
    const statuses: number[] = [];
    for (let index = 0; index < 21; index++) {
      statuses.push((await oauth().refresh(tenant, refresh_token!, wrong)).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
    const throttled = await oauth().refresh(tenant, refresh_token!);
    expect(throttled).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
      body: { error: 'temporarily_unavailable', error_description: expect.stringContaining('client secret') },
    });
    expect((await oauth().refresh(other, (await oauth().tokens(other))['refresh_token']!)).status).toBe(200);
    const elsewhere = await oauth().bridge.app.inject({
      method: 'POST',
      url: '/oauth2/token',
      remoteAddress: '198.51.100.4',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: tenant.application.clientId,
        client_secret: tenant.application.secret,
        refresh_token: refresh_token!,
      }).toString(),
    });
    expect(elsewhere.statusCode).toBe(200);
    oauth().bridge.advanceSeconds(Number(throttled.headers['retry-after']));
    expect((await oauth().refresh(tenant, refresh_token!)).status).toBe(200);
  });

  it('never throttles concurrent requests with the right secret', async () => {
    const tenant = await oauth().newTenant();
    const { refresh_token } = await oauth().tokens(tenant);
    const answers = await Promise.all(Array.from({ length: 50 }, () => oauth().refresh(tenant, refresh_token!)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it.each([
    ['sha256', (secret: string) => `sha256:${hash('sha256', secret, 'base64url')}`],
    ['argon2', (secret: string) => hashPassword(secret)],
  ])('accepts a secret stored as %s, and stores it with a keyed hash after that', async (_, oldHash) => {
    const tenant = await oauth().newTenant();
    const { id, secret } = tenant.application;
    const { storage } = oauth().bridge.services;
    const stored = () =>
      storage.reader
        .selectFrom('oauth_applications')
        .select('client_secret_hash')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    const keyed = await stored();
    expect(keyed.client_secret_hash).toMatch(/^v1\.[\w-]{43}$/);
    const client_secret_hash = await oldHash(secret);
    await storage.writer.updateTable('oauth_applications').set({ client_secret_hash }).where('id', '=', id).execute();
    const { refresh_token } = await oauth().tokens(tenant);
    expect((await oauth().refresh(tenant, refresh_token!, { client_secret: 'wrong' })).status).toBe(401);
    expect((await oauth().refresh(tenant, refresh_token!)).status).toBe(200);
    expect(await stored()).toEqual(keyed);
  });

  it('rejects the refresh token of another application, and keeps it valid', async () => {
    const tenant = await oauth().newTenant();
    const { refresh_token } = await oauth().tokens(tenant);
    const other = { ...tenant, application: await oauth().newApplication(tenant.organizationId) };
    expect((await oauth().refresh(other, refresh_token!)).body['error']).toBe('invalid_grant');
    expect((await oauth().refresh(tenant, refresh_token!)).status).toBe(200);
  });

  it('narrows the scope on refresh, and widens it again up to the grant', async () => {
    const tenant = await oauth().newTenant();
    const granted = 'full_read_write full_read_only offline';
    const { refresh_token } = await oauth().tokens(tenant, { scope: granted });
    const widened = await oauth().refresh(tenant, refresh_token!, { scope: 'full_read_only everything' });
    expect(widened.body['error']).toBe('invalid_scope');
    const narrow = (await oauth().refresh(tenant, refresh_token!, { scope: 'full_read_only' })).body;
    expect(narrow['scope']).toBe('full_read_only');
    const headers = { authorization: `Bearer ${narrow['access_token']}` };
    const write = await oauth().bridge.app.inject({ method: 'POST', url: '/v2/members', headers, payload: {} });
    expect(write.statusCode).toBe(403);
    expect((await oauth().refresh(tenant, narrow['refresh_token']!)).body['scope']).toBe(granted);
  });

  it('limits a token to its own organization', async () => {
    const [tenant, other] = [await oauth().newTenant(), await oauth().newTenant()];
    const { access_token } = await oauth().tokens(tenant);
    const theirs = await oauth().bridge.client(other.organizationId, other.application.id, 'full_read_write');
    const member = await theirs.callOk('POST', '/members', {});
    expect(await oauth().statusFor(access_token, `/members/${member.id}`)).toBe(404);
    expect((await oauth().refresh(other, (await oauth().tokens(tenant))['refresh_token']!)).body['error']).toBe(
      'invalid_grant',
    );
    expect(oauth().log.audits('token_refused').at(-1)).toMatchObject({ level: 'warn', error: 'invalid_grant' });
  });

  it('requires PKCE from a public client, and no secret', async () => {
    const tenant = await oauth().newTenant({ isPublic: true });
    const { clientId } = tenant.application;
    const { verifier, challenge } = pkcePair();
    const challenged = { code_challenge: challenge, code_challenge_method: 'S256' };
    const fields = { grant_type: 'authorization_code', client_id: clientId };
    const wrong = { ...fields, code: await oauth().code(tenant, challenged), code_verifier: pkcePair().verifier };
    expect((await oauth().post('/oauth2/token', wrong)).body['error']).toBe('invalid_grant');
    const spent = { ...wrong, code_verifier: verifier };
    expect((await oauth().post('/oauth2/token', spent)).body['error']).toBe('invalid_grant');
    const without = { ...fields, code: await oauth().code(tenant, challenged) };
    expect((await oauth().post('/oauth2/token', without)).body['error']).toBe('invalid_grant');
    const right = { ...fields, code: await oauth().code(tenant, challenged), code_verifier: verifier };
    const { body } = await oauth().post('/oauth2/token', right);
    expect(await oauth().statusFor(body['access_token'])).toBe(200);
    const again = { grant_type: 'refresh_token', client_id: clientId, refresh_token: body['refresh_token']! };
    expect((await oauth().post('/oauth2/token', again)).status).toBe(200);
  });

  it('requires the PKCE verifier from a confidential client that sent a challenge', async () => {
    const tenant = await oauth().newTenant();
    const { verifier, challenge } = pkcePair();
    const challenged = { code_challenge: challenge, code_challenge_method: 'S256' };
    const stolen = await oauth().exchange(tenant, await oauth().code(tenant, challenged));
    expect(stolen.body['error']).toBe('invalid_grant');
    const right = await oauth().exchange(tenant, await oauth().code(tenant, challenged), { code_verifier: verifier });
    expect(right.status).toBe(200);
    const downgraded = await oauth().exchange(tenant, await oauth().code(tenant), { code_verifier: verifier });
    expect(downgraded.body['error']).toBe('invalid_grant');
  });

  it('revokes a refresh token with its family, and an access token alone', async () => {
    const tenant = await oauth().newTenant();
    const { clientId: client_id, secret: client_secret } = tenant.application;
    const revoke = (token: string): Promise<{ status: number }> =>
      oauth().post('/oauth2/revoke', { client_id, client_secret, token });
    const first = await oauth().tokens(tenant);
    expect(await oauth().statusFor(first['access_token'])).toBe(200);
    expect((await revoke(first['access_token']!)).status).toBe(200);
    expect(await oauth().statusFor(first['access_token'])).toBe(401);
    const second = (await oauth().refresh(tenant, first['refresh_token']!)).body;
    expect(await oauth().statusFor(second['access_token'])).toBe(200);
    expect((await revoke(second['refresh_token']!)).status).toBe(200);
    expect(await oauth().statusFor(second['access_token'])).toBe(401);
    expect((await oauth().refresh(tenant, second['refresh_token']!)).body['error']).toBe('invalid_grant');
    expect((await revoke('unknown')).status).toBe(200);
    const other = await oauth().newApplication(tenant.organizationId);
    const foreign = { client_id: other.clientId, client_secret: other.secret };
    const third = await oauth().tokens(tenant);
    expect((await oauth().post('/oauth2/revoke', { ...foreign, token: third['access_token']! })).status).toBe(400);
    expect(await oauth().statusFor(third['access_token'])).toBe(200);
    expect((await oauth().post('/oauth2/revoke', { client_id, token: third['access_token']! })).status).toBe(401);
  });

  it('deletes only expired tokens', async () => {
    const tenant = await oauth().newTenant();
    const { refresh_token } = await oauth().tokens(tenant);
    const count = async (): Promise<number> =>
      (await oauth().bridge.services.storage.reader.selectFrom('oauth_tokens').select('hash').execute()).length;
    const before = await count();
    oauth().bridge.advanceSeconds(3 * 24 * 3600);
    expect((await oauth().refresh(tenant, refresh_token!)).status).toBe(200);
    expect(await count()).toBeLessThan(before);
    oauth().bridge.advanceSeconds(60);
    expect((await oauth().refresh(tenant, refresh_token!)).body['error']).toBe('invalid_grant');
    expect(oauth().log.audits('refresh_token_reused').at(-1)).toMatchObject({ organization_id: tenant.organizationId });
  });

  it('stores tokens, codes and secrets only as hashes', async () => {
    const clientSecret = randomBytes(12).toString('hex');
    const tenant = await oauth().newTenant({ clientSecret });
    const code = await oauth().code(tenant);
    const { body } = await oauth().exchange(tenant, code);
    const { reader } = oauth().bridge.services.storage;
    const stored = JSON.stringify([
      await reader.selectFrom('oauth_tokens').selectAll().execute(),
      await reader.selectFrom('oauth_applications').selectAll().execute(),
      await reader.selectFrom('sessions').selectAll().execute(),
    ]);
    const logged = JSON.stringify(oauth().log.lines);
    for (const secret of [code, clientSecret, body['access_token']!, body['refresh_token']!]) {
      expect(stored.includes(secret)).toBe(false);
      expect(logged.includes(secret)).toBe(false);
    }
  });
});
