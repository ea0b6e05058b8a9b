import { addUserToOrganization } from '@lintel/cloud-bridge/testing';
import { beforeAll, expect, it } from 'vitest';
import {
  AdminClient,
  adminWithScriptToken,
  adminWithToken,
  openAdminSession,
  uniqueEmail,
} from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import type { ApiBody } from '../../support/bridge/test-bridge.ts';

describeOnSqliteFirst('secrets and tokens of applications', bridge => {
  let admin: AdminClient;
  beforeAll(async () => {
    const { organizationId } = await bridge().newOrganization();
    admin = await openAdminSession(bridge(), organizationId, 'administrator');
  });

  const statusWith = async (token: unknown, url = '/v2/members') =>
    (await bridge().app.inject({ url, headers: { authorization: `Bearer ${String(token)}` } })).statusCode;

  const exchange = async ({ client_id }: ApiBody, client_secret: unknown) =>
    (
      await bridge().app.inject({
        method: 'POST',
        url: '/oauth2/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: 'lrt_unknown',
          client_id: String(client_id),
          client_secret: String(client_secret),
        }).toString(),
      })
    ).json<{ error: string }>().error;

  it('replaces the secret of an application, and the previous secret is invalid at once', async () => {
    const created = await admin.callOk('POST', '/applications', { name: 'PMS', redirect_uris: [] });
    expect(await exchange(created, created['client_secret'])).toBe('invalid_grant');
    const rotated = await admin.callOk('POST', `/applications/${created.id}/rotate_secret`, {});
    expect(rotated).toMatchObject({ id: created.id, client_secret: expect.stringMatching(/^lcs_/) });
    expect(await exchange(created, created['client_secret'])).toBe('invalid_client');
    expect(await exchange(created, rotated['client_secret'])).toBe('invalid_grant');
    const [event] = (await admin.callOk('GET', `/events?object.oauth_application_id=${created.id}`)).data;
    expect(event).toMatchObject({ verb: 'edit', reason: 'secret_rotated', subject: { user_id: admin.userId } });
  });

  it('refuses to rotate the secret of a public, the built-in or an unknown application', async () => {
    const { id } = await admin.callOk('POST', '/applications', { name: 'App', redirect_uris: [], is_public: true });
    expect((await admin.call('POST', `/applications/${id}/rotate_secret`, {})).status).toBe(400);
    await admin.callOk('POST', '/tokens', { name: 'First', scope: 'full_read_only' });
    const cli = (await admin.callOk('GET', '/applications')).data.find(({ name }) => name === 'cli')!;
    expect((await admin.call('POST', `/applications/${cli.id}/rotate_secret`, {})).status).toBe(403);
    expect((await admin.call('POST', '/applications/app_unknown/rotate_secret', {})).status).toBe(404);
  });

  it('creates a token that works until it is revoked, and shows it once', async () => {
    const { access_token, ...created } = await admin.callOk('POST', '/tokens', {
      name: 'Nightly export',
      scope: 'full_read_only',
    });
    expect(await statusWith(access_token)).toBe(200);
    expect((await admin.callOk('GET', '/tokens')).data).toContainEqual(created);
    expect(created).toMatchObject({ name: 'Nightly export', scope: 'full_read_only', user_id: admin.userId });
    await admin.callOk('DELETE', `/tokens/${created.id}`);
    expect(await statusWith(access_token)).toBe(401);
    expect((await admin.call('DELETE', `/tokens/${created.id}`)).status).toBe(404);
    expect((await admin.callOk('GET', '/tokens')).data.map(({ id }) => id)).not.toContain(created.id);
    const events = (await admin.callOk('GET', '/events?object.type=oauth_application')).data;
    expect(events.slice(0, 2).map(({ reason }) => reason)).toEqual(['token_revoked', 'token_created']);
  });

  it('ends a token at its expiry', async () => {
    const { access_token, id } = await admin.callOk('POST', '/tokens', {
      name: 'Try it',
      scope: 'full_read_write',
      expires_in: 900,
    });
    expect(await statusWith(access_token)).toBe(200);
    bridge().advanceSeconds(901);
    expect(await statusWith(access_token)).toBe(401);
    expect((await admin.callOk('GET', '/tokens')).data.map(token => token.id)).not.toContain(id);
    expect((await admin.call('POST', '/tokens', { name: 'x', scope: 'full_read_only', expires_in: 1 })).status).toBe(
      400,
    );
    expect((await admin.call('POST', '/tokens', { name: 'x', scope: 'offline' })).status).toBe(400);
  });

  it('gives applications no rights over identity and trust, and gives them to script tokens', async () => {
    const { organizationId } = admin;
    const person = await openAdminSession(bridge(), organizationId, 'administrator');
    const application = await adminWithToken(bridge(), organizationId, 'full_read_write');
    const { access_token } = await person.callOk('POST', '/tokens', { name: 'Setup', scope: 'full_read_write' });
    const headers = { authorization: `Bearer ${String(access_token)}` };
    const scripts = [
      new AdminClient(bridge(), organizationId, '', headers),
      await adminWithScriptToken(bridge(), organizationId),
    ];
    const { id: other } = await person.callOk('POST', '/applications', { name: 'Other', redirect_uris: [] });
    const requests = [
      ['POST', '/users', () => ({ email: uniqueEmail(), role: 'administrator' })],
      ['PATCH', `/users/${admin.userId}`, () => ({ role: 'administrator' })],
      ['PATCH', `/applications/${other}`, () => ({ redirect_uris: ['https://second.example/cb'] })],
      ['POST', `/applications/${other}/rotate_secret`, () => ({})],
      ['POST', '/applications', () => ({ name: 'Third', redirect_uris: [] })],
    ] as const;
    for (const [method, path, bodyOf] of requests) {
      const { status, body } = await application.call(method, path, bodyOf());
      expect([method, path, status, body['args']]).toMatchObject([
        method,
        path,
        403,
        { reason: 'closed_to_applications' },
      ]);
      for (const script of scripts) await script.callOk(method, path, bodyOf());
    }
    for (const path of [`/applications/${other}`, `/authorizations/${application.userId}`, `/users/${admin.userId}`])
      expect([path, (await application.call('DELETE', path)).status]).toEqual([path, 403]);
    for (const script of scripts) {
      expect((await script.call('POST', '/tokens', { name: 'x', scope: 'full_read_only' })).status).toBe(403);
      const [organization] = (await script.callRoot('GET', '/organizations')).body.data;
      expect(organization!['permissions']).toContain('users.write');
    }
    const [organization] = (await application.callRoot('GET', '/organizations')).body.data;
    expect(organization!['permissions']).not.toContain('users.write');
  });

  const newTeam = async () => {
    const { organizationId } = await bridge().newOrganization();
    const owner = await openAdminSession(bridge(), organizationId, 'owner');
    const creator = await openAdminSession(bridge(), organizationId, 'administrator');
    const { access_token } = await creator.callOk('POST', '/tokens', { name: 'Setup', scope: 'full_read_write' });
    const script = new AdminClient(bridge(), organizationId, '', { authorization: `Bearer ${String(access_token)}` });
    const statuses = async () => [
      await statusWith(access_token),
      (await script.call('POST', '/tags', { name: 'VIP' })).status,
      (await script.call('POST', '/users', { email: uniqueEmail(), role: 'viewer' })).status,
    ];
    return { owner, creator, access_token: String(access_token), statuses };
  };

  it('ends a leaked token by itself, and all tokens for scripts with the authorization of cli', async () => {
    const { owner, statuses } = await newTeam();
    const { organizationId } = owner;
    const operator = async () => {
      const { headers } = await adminWithScriptToken(bridge(), organizationId);
      return headers['authorization']!.slice('Bearer '.length);
    };
    const [leaked, other] = [await operator(), await operator()];
    const revoked = await bridge().app.inject({
      method: 'POST',
      url: '/oauth2/revoke',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ token: leaked, client_id: `cli-${organizationId}` }).toString(),
    });
    expect(revoked.statusCode).toBe(200);
    expect([await statusWith(leaked), await statusWith(other)]).toEqual([401, 200]);
    const cli = (await owner.callOk('GET', '/authorizations')).data.find(({ name }) => name === 'cli')!;
    await owner.callOk('DELETE', `/authorizations/${String(cli['oauth_application_id'])}`);
    expect([await statusWith(other), ...(await statuses())]).toEqual([401, 401, 401, 401]);
    expect(await statusWith(await operator())).toBe(200);
  });

  it('limits a token to what its creator may do now', async () => {
    const { owner, creator, statuses } = await newTeam();
    expect(await statuses()).toEqual([200, 200, 200]);
    const lower = (role: string) => owner.callOk('PATCH', `/users/${creator.userId}`, { role });
    await lower('viewer');
    expect(await statuses()).toEqual([200, 403, 403]);
    await lower('front_desk');
    expect(await statuses()).toEqual([403, 403, 403]);
    await lower('technician');
    expect(await statuses()).toEqual([403, 403, 403]);
    await lower('owner');
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('ends the tokens of a user who is removed, also if the user is invited again', async () => {
    const { owner, creator, access_token, statuses } = await newTeam();
    await owner.callOk('DELETE', `/users/${creator.userId}`);
    expect(await statuses()).toEqual([401, 401, 401]);
    expect((await owner.callOk('GET', '/tokens')).data).toEqual([]);
    await addUserToOrganization(bridge().services, owner.organizationId, creator.userId, 'administrator');
    expect(await statusWith(access_token)).toBe(401);
    const events = (await owner.callOk('GET', '/events?object.type=oauth_application')).data;
    expect(events[0]).toMatchObject({ reason: 'token_revoked', subject: { user_id: owner.userId } });
  });

  it('creates at most 20 valid tokens for a user', async () => {
    const { creator } = await newTeam();
    const create = () => creator.call('POST', '/tokens', { name: 'One more', scope: 'full_read_only' });
    for (let count = 1; count < 20; count++) expect((await create()).status).toBe(200);
    expect(await create()).toMatchObject({ status: 400, body: { args: { reason: 'too_many_tokens' } } });
    const [newest] = (await creator.callOk('GET', '/tokens')).data;
    await creator.callOk('DELETE', `/tokens/${newest!.id}`);
    expect((await create()).status).toBe(200);
  });

  it('creates no token for an application, whose authorization may end, and for no role that cannot write', async () => {
    const application = await adminWithToken(bridge(), admin.organizationId, 'full_read_write');
    const viewer = await openAdminSession(bridge(), admin.organizationId, 'viewer');
    for (const caller of [application, viewer])
      expect((await caller.call('POST', '/tokens', { name: 'x', scope: 'full_read_only' })).status).toBe(403);
    const other = await openAdminSession(bridge(), (await bridge().newOrganization()).organizationId, 'owner');
    expect((await other.callOk('GET', '/tokens')).data).toEqual([]);
  });
});
