import { addUserToOrganization, insertGrant, insertUser, TEST_PASSWORD } from '@lintel/cloud-bridge/testing';
import type { Role } from '@lintel/wire-protocol/admin/role';
import { describe, expect, it } from 'vitest';
import { type AdminClient, uniqueEmail, openAdminSession, adminWithToken } from '../../support/bridge/admin-client.ts';
import { eventsOf } from '../../support/devices/organization-events-and-access-changes.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';
import { FormBrowser } from '../../support/bridge/form-browser.ts';

const field = ({ body }: { body: Readonly<Record<string, unknown>> }): string | undefined =>
  (body['args'] as Record<string, string>)['field'];

describeOnSqliteFirst('admin accounts', bridge => {
  describe('admin session', () => {
    it('starts at the login page, and requires the CSRF token that it returns for writes', async () => {
      const { organizationId } = await bridge().newOrganization();
      const email = uniqueEmail();
      const id = await insertUser(bridge().services, { email });
      const browser = new FormBrowser(bridge().app);
      await browser.logIn(email, TEST_PASSWORD);
      const cookie = `lintel_session=${browser.cookies.get('lintel_session')}`;
      await addUserToOrganization(bridge().services, organizationId, id, 'owner');
      const nobody = await openAdminSession(bridge(), organizationId, null);
      const session = await nobody.callRoot('GET', '/session', undefined, { cookie });
      expect(session.body).toMatchObject({ user: { id, email, name: '' }, csrf_token: expect.any(String) });
      const write = (headers: Record<string, string>) =>
        nobody.callRoot('POST', '/organizations', { name: 'New' }, { cookie, ...headers });
      const token = { 'x-csrf-token': String(session.body['csrf_token']) };
      expect((await write({})).status).toBe(403);
      expect((await write({ 'x-csrf-token': 'guessed' })).status).toBe(403);
      expect((await write({ ...token, origin: 'https://evil.example' })).status).toBe(403);
      expect((await write({ ...token, origin: 'http://bridge.test' })).status).toBe(200);
      expect((await write(token)).status).toBe(200);
    });

    it('is required: a request with no session or an unknown session is unauthorized', async () => {
      const { organizationId } = await bridge().newOrganization();
      const nobody = await openAdminSession(bridge(), organizationId, null);
      for (const [headers, challenge] of [
        [{}, 'Bearer'],
        [{ cookie: 'lintel_session=lst_invented' }, 'Bearer'],
        [{ authorization: 'Bearer lat_invented' }, 'Bearer error="invalid_token"'],
      ] as const) {
        const { status, headers: answered } = await nobody.callRoot(
          'GET',
          `/organizations/${organizationId}`,
          undefined,
          {
            ...headers,
          },
        );
        expect([status, answered['www-authenticate']]).toEqual([401, challenge]);
      }
    });
  });

  describe('admin organization', () => {
    it('is created by owners of an organization only, three times a day', async () => {
      const { organizationId } = await bridge().newOrganization();
      const create = async (role: Role) => {
        const person = await openAdminSession(bridge(), organizationId, role);
        return () => person.callRoot('POST', '/organizations', { name: 'Further' });
      };
      for (const role of ['administrator', 'technician', 'viewer'] as const)
        expect(await (await create(role))()).toMatchObject({ status: 403, body: { type: 'forbidden' } });
      const asOwner = await create('owner');
      expect([await asOwner(), await asOwner(), await asOwner()].map(({ status }) => status)).toEqual([200, 200, 200]);
      const refused = await asOwner();
      expect(refused).toMatchObject({
        status: 429,
        body: { type: 'rate_limited', args: { quota: 'organizations', retry_after: '86400' } },
      });
      bridge().advanceSeconds(86_400);
      expect((await (await create('owner'))()).status).toBe(200);
    });

    it('is created by a user, who becomes its owner and sees it in the list', async () => {
      const first = await bridge().newOrganization();
      const person = await openAdminSession(bridge(), first.organizationId, 'owner');
      const created = await person.callRoot('POST', '/organizations', { name: 'Second', metadata: { a: 'b' } });
      expect(created.body).toMatchObject({ name: 'Second', role: 'owner', features: { whitelabel: false } });
      const mine = await person.callRoot('GET', '/organizations');
      expect(mine.body.data.map(({ id, role }) => [id, role])).toEqual(
        [
          [created.body.id, 'owner'],
          [first.organizationId, 'owner'],
        ].toSorted(([a = ''], [b = '']) => (a < b ? 1 : -1)),
      );
      const events = await bridge()
        .services.storage.reader.selectFrom('events')
        .select(['verb', 'object_type', 'subject_user_id'])
        .where('organization_id', '=', created.body.id)
        .orderBy('recorded_at')
        .execute();
      expect(events).toEqual([
        { verb: 'create', object_type: 'organization', subject_user_id: person.userId },
        { verb: 'create', object_type: 'user', subject_user_id: person.userId },
      ]);
    });

    it('lets an administrator edit its name, but not grant itself features', async () => {
      const client = await bridge().newOrganization();
      const { gadgetId } = await createTestDoor(bridge(), client);
      await bridge()
        .services.storage.writer.updateTable('organizations')
        .set({ whitelabel: 0 })
        .where('id', '=', client.organizationId)
        .execute();
      const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
      const token = await adminWithToken(bridge(), client.organizationId, 'full_read_write');
      for (const caller of [owner, token]) {
        expect(field(await caller.call('PATCH', '', { features: { whitelabel: true } }))).toBe('features');
      }
      const admin = await openAdminSession(bridge(), client.organizationId, 'administrator');
      const edited = await admin.callOk('PATCH', '', { name: 'Grand Hotel' });
      expect(edited).toMatchObject({ name: 'Grand Hotel', features: { whitelabel: false }, role: 'administrator' });
      expect((await client.call('POST', `/gadgets/${gadgetId}/actions/open`, {})).status).toBe(403);
    });
  });

  describe('organization users', () => {
    const arrange = async (): Promise<{ owner: AdminClient; admin: AdminClient; siteId: string }> => {
      const client = await bridge().newOrganization();
      const { siteId } = await createTestDoor(bridge(), client);
      const { organizationId } = client;
      return {
        owner: await openAdminSession(bridge(), organizationId, 'owner'),
        admin: await openAdminSession(bridge(), organizationId, 'administrator'),
        siteId,
      };
    };

    it('have assigned sites only if they are technicians', async () => {
      const { admin, siteId } = await arrange();
      const { siteId: foreign } = await createTestDoor(bridge(), await bridge().newOrganization());
      const body = { email: uniqueEmail() };
      const refused = async (more: object) => field(await admin.call('POST', '/users', { ...body, ...more }));
      expect(await refused({ role: 'technician', site_ids: [siteId, foreign] })).toBe('site_ids.1');
      expect(await refused({ role: 'viewer', site_ids: [siteId] })).toBe('site_ids');
      const { id } = await admin.callOk('POST', '/users', { ...body, role: 'technician', site_ids: [siteId, siteId] });
      expect((await admin.get(`/users/${id}`)).body).toMatchObject({ role: 'technician', site_ids: [siteId] });
      const kept = await admin.callOk('PATCH', `/users/${id}`, { role: 'technician' });
      expect(kept).toMatchObject({ site_ids: [siteId] });
      expect(await admin.callOk('PATCH', `/users/${id}`, { role: 'viewer' })).toMatchObject({ site_ids: [] });
    });

    it('with the owner role can be managed only by owners', async () => {
      const { owner, admin } = await arrange();
      const body = { email: uniqueEmail(), role: 'owner' };
      expect((await admin.call('POST', '/users', body)).status).toBe(403);
      expect((await admin.call('PATCH', `/users/${admin.userId}`, { role: 'owner' })).status).toBe(403);
      expect((await admin.call('PATCH', `/users/${owner.userId}`, { role: 'viewer' })).status).toBe(403);
      expect((await admin.call('DELETE', `/users/${owner.userId}`)).status).toBe(403);
      const token = await adminWithToken(bridge(), owner.organizationId, 'full_read_write');
      expect((await token.call('POST', '/users', body)).status).toBe(403);
      expect((await owner.call('POST', '/users', body)).status).toBe(200);
    });

    it('must include at least one owner whose account is not deleted', async () => {
      const { owner, admin } = await arrange();
      const former = await openAdminSession(bridge(), owner.organizationId, 'owner');
      await bridge()
        .services.storage.writer.updateTable('users')
        .set({ is_deleted: 1 })
        .where('id', '=', former.userId)
        .execute();
      expect(field(await owner.call('PATCH', `/users/${owner.userId}`, { role: 'viewer' }))).toBe('role');
      expect(field(await owner.call('DELETE', `/users/${owner.userId}`))).toBe('user_id');
      await owner.callOk('PATCH', `/users/${admin.userId}`, { role: 'owner' });
      expect((await owner.call('DELETE', `/users/${owner.userId}`)).status).toBe(200);
      expect((await owner.get('')).status).toBe(404);
    });

    it('lose access as soon as they are removed, and every change records its author', async () => {
      const { owner, admin } = await arrange();
      await owner.callOk('PATCH', `/users/${admin.userId}`, { role: 'viewer' });
      expect((await admin.call('POST', '/sites', { name: 'Too late' })).status).toBe(403);
      await owner.callOk('PATCH', `/users/${admin.userId}`, { role: 'viewer' });
      await owner.callOk('DELETE', `/users/${admin.userId}`);
      expect((await admin.get('')).status).toBe(404);
      expect((await owner.call('DELETE', `/users/${admin.userId}`)).status).toBe(404);
      const { organizationId } = owner;
      expect((await eventsOf(bridge(), { organizationId } as never)).slice(-2)).toEqual([
        `edit user ${admin.userId}`,
        `delete user ${admin.userId}`,
      ]);
      const token = await adminWithToken(bridge(), organizationId, 'full_read_write');
      await token.callOk('POST', '/sites', { name: 'By token' });
      const events = await bridge()
        .services.storage.reader.selectFrom('events')
        .select(['subject_user_id', 'subject_oauth_application_id'])
        .where('organization_id', '=', organizationId)
        .orderBy('recorded_at', 'desc')
        .limit(2)
        .execute();
      expect(events).toEqual([
        { subject_user_id: null, subject_oauth_application_id: token.userId },
        { subject_user_id: owner.userId, subject_oauth_application_id: null },
      ]);
    });

    it('are listed in pages', async () => {
      const { owner } = await arrange();
      for (let index = 0; index < 3; index++) await openAdminSession(bridge(), owner.organizationId, 'viewer');
      const first = await owner.get('/users?limit=3');
      const second = await owner.get(`/users?limit=3&cursor=${first.body.cursor_next}`);
      const ids = [...first.body.data, ...second.body.data].map(({ id }) => id);
      expect([first.body.has_next, second.body.has_next, new Set(ids).size]).toEqual([true, false, 5]);
      expect(ids).toEqual(ids.toSorted().reverse());
      for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'sort=email:asc', 'limit=1&limit=2']) {
        expect([query, (await owner.get(`/users?${query}`)).status]).toEqual([query, 400]);
      }
      expect((await owner.get(`/applications?cursor=${first.body.cursor_next}`)).status).toBe(400);
    });
  });

  describe('OAuth applications', () => {
    it('return their secret only in the create response', async () => {
      const { organizationId } = await bridge().newOrganization();
      const admin = await openAdminSession(bridge(), organizationId, 'administrator');
      const created = await admin.callOk('POST', '/applications', {
        name: 'PMS',
        redirect_uris: ['https://pms.example/cb'],
      });
      expect(created['client_secret']).toMatch(/^lcs_/);
      const { client_secret: _, ...shown } = created;
      expect((await admin.get(`/applications/${created.id}`)).body).toEqual(shown);
      expect((await admin.get('/applications')).body.data[0]).toEqual(shown);
      const edited = await admin.callOk('PATCH', `/applications/${created.id}`, { name: 'Better PMS' });
      expect(edited).toEqual({ ...shown, name: 'Better PMS' });
      const open = await admin.callOk('POST', '/applications', { name: 'App', is_public: true });
      expect(open['client_secret']).toBeNull();
      const bad = { name: 'X', redirect_uris: ['https://a.example/', 'javascript:alert(1)'] };
      expect(field(await admin.call('POST', '/applications', bad))).toBe('redirect_uris.1');
      expect(field(await admin.call('PATCH', `/applications/${created.id}`, { redirect_uris: ['x'] }))).toBe(
        'redirect_uris.0',
      );
    });

    it('return the same secret when the create is retried with its Idempotency-Key', async () => {
      const { organizationId } = await bridge().newOrganization();
      const admin = await openAdminSession(bridge(), organizationId, 'administrator');
      const keyed = { ...admin.headers, 'idempotency-key': 'once' };
      const path = `/organizations/${organizationId}/applications`;
      const first = await admin.callRoot('POST', path, { name: 'PMS' }, keyed);
      const again = await admin.callRoot('POST', path, { name: 'PMS' }, keyed);
      expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
      expect((await admin.get('/applications')).body.data.filter(({ name }) => name === 'PMS')).toHaveLength(1);
    });

    it('lose their tokens in every organization when they are deleted', async () => {
      const makers = await bridge().newOrganization();
      const guests = await bridge().newOrganization();
      const admin = await openAdminSession(bridge(), makers.organizationId, 'administrator');
      const { applicationId } = makers;
      const visiting = await bridge().client(guests.organizationId, applicationId, 'full_read_write');
      await insertGrant(bridge().services, guests.organizationId, applicationId);
      expect((await visiting.get('/members')).status).toBe(200);
      expect(await admin.callOk('DELETE', `/applications/${applicationId}`)).toMatchObject({ is_deleted: true });
      expect((await visiting.get('/members')).status).toBe(401);
      expect((await makers.get('/members')).status).toBe(401);
      expect((await admin.call('PATCH', `/applications/${applicationId}`, { name: 'Back' })).status).toBe(404);
      const events = await eventsOf(bridge(), makers);
      await admin.callOk('DELETE', `/applications/${applicationId}`);
      expect(await eventsOf(bridge(), makers)).toEqual(events);
      expect(events.at(-1)).toBe(`delete oauth_application ${applicationId}`);
    });

    it('of another organization are not found', async () => {
      const other = await bridge().newOrganization();
      const admin = await openAdminSession(bridge(), (await bridge().newOrganization()).organizationId, 'owner');
      for (const method of ['GET', 'DELETE'] as const) {
        expect((await admin.call(method, `/applications/${other.applicationId}`)).status).toBe(404);
      }
    });
  });

  it('revokes the tokens and deletes the webhooks of an authorization in this organization only', async () => {
    const client = await bridge().newOrganization();
    const { organizationId, applicationId } = client;
    const admin = await openAdminSession(bridge(), organizationId, 'administrator');
    await insertGrant(bridge().services, organizationId, applicationId, admin.userId);
    await client.callOk('POST', '/webhooks', { url: 'https://pms.example/hook' });
    const listed = { oauth_application_id: applicationId, name: 'Test application', user_id: admin.userId };
    expect((await admin.get('/authorizations')).body.data).toMatchObject([{ ...listed, failing_webhooks: 0 }]);
    await bridge()
      .services.storage.writer.updateTable('webhooks')
      .set({ failing_since: 1 })
      .where('organization_id', '=', client.organizationId)
      .execute();
    expect((await admin.get('/authorizations')).body.data).toMatchObject([{ ...listed, failing_webhooks: 1 }]);
    expect(await admin.callOk('DELETE', `/authorizations/${applicationId}`)).toMatchObject(listed);
    expect((await client.get('/webhooks')).status).toBe(401);
    expect((await admin.get('/authorizations')).body.data).toEqual([]);
    expect((await admin.call('DELETE', `/authorizations/${applicationId}`)).status).toBe(404);
    expect((await eventsOf(bridge(), client)).filter(event => event.startsWith('delete webhook'))).toHaveLength(1);
  });
});
