import { beforeAll, expect, it } from 'vitest';
import { type AdminClient, adminWithToken, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import type { ApiBody } from '../../support/bridge/test-bridge.ts';

describeOnBothDatabases('secrets and tokens of applications', bridge => {
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

  it('creates no token for an application, whose authorization may end, and for no role that cannot write', async () => {
    const application = await adminWithToken(bridge(), admin.organizationId, 'full_read_write');
    const viewer = await openAdminSession(bridge(), admin.organizationId, 'viewer');
    for (const caller of [application, viewer])
      expect((await caller.call('POST', '/tokens', { name: 'x', scope: 'full_read_only' })).status).toBe(403);
    const other = await openAdminSession(bridge(), (await bridge().newOrganization()).organizationId, 'owner');
    expect((await other.callOk('GET', '/tokens')).data).toEqual([]);
  });
});
