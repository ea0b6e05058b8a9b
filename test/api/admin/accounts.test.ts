import { createUser } from '@lintel/cloud-bridge/accounts/users';
import { describe, expect, it } from 'vitest';
import { type AdminClient, freshEmail, signedIn, withToken } from '../../support/bridge/administration.ts';
import { eventsOf } from '../../support/devices/journal-of.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';
import { aDoor } from '../../support/bridge/place.ts';
import { Visitor } from '../../support/bridge/visitor.ts';

const field = ({ body }: { body: Readonly<Record<string, unknown>> }): string | undefined =>
  (body['args'] as Record<string, string>)['field'];

onBothEngines('accounts in the administration', world => {
  describe('a session', () => {
    it('is opened by the login page, and its writes carry the token that it answers', async () => {
      const { organizationId } = await world().newOrganization();
      const { storage, newId } = world().bridge.services;
      const email = freshEmail();
      const { id } = await createUser(storage.writer, { email, password: 'long enough' }, { newId, now: world().now });
      const visitor = new Visitor(world().bridge.app);
      await visitor.logIn(email, 'long enough');
      const cookie = `lintel_session=${visitor.cookies.get('lintel_session')}`;
      const nobody = await signedIn(world(), organizationId, null);
      const session = await nobody.ask('GET', '/session', undefined, { cookie });
      expect(session.body).toMatchObject({ user: { id, email, name: '' }, csrf_token: expect.any(String) });
      const write = (headers: Record<string, string>) =>
        nobody.ask('POST', '/organizations', { name: 'New' }, { cookie, ...headers });
      const token = { 'x-csrf-token': String(session.body['csrf_token']) };
      expect((await write({})).status).toBe(403);
      expect((await write({ 'x-csrf-token': 'guessed' })).status).toBe(403);
      expect((await write({ ...token, origin: 'https://evil.example' })).status).toBe(403);
      expect((await write({ ...token, origin: 'http://bridge.test' })).status).toBe(200);
      expect((await write(token)).status).toBe(200);
    });

    it('is needed: nobody comes in without one or with an invented one', async () => {
      const { organizationId } = await world().newOrganization();
      const nobody = await signedIn(world(), organizationId, null);
      for (const headers of [{}, { cookie: 'lintel_session=lst_invented' }, { authorization: 'Bearer lat_invented' }]) {
        const { status, headers: answered } = await nobody.ask('GET', `/organizations/${organizationId}`, undefined, {
          ...headers,
        });
        expect([status, answered['www-authenticate']]).toEqual([401, 'Bearer']);
      }
    });
  });

  describe('an organization', () => {
    it('is created by a person, who owns it and finds it among their own', async () => {
      const first = await world().newOrganization();
      const person = await signedIn(world(), first.organizationId, 'viewer');
      const created = await person.ask('POST', '/organizations', { name: 'Second', metadata: { a: 'b' } });
      expect(created.body).toMatchObject({ name: 'Second', role: 'owner', features: { whitelabel: false } });
      const mine = await person.ask('GET', '/organizations');
      expect(mine.body.data.map(({ id, role }) => [id, role])).toEqual(
        [
          [created.body.id, 'owner'],
          [first.organizationId, 'viewer'],
        ].toSorted(([a = ''], [b = '']) => (a < b ? 1 : -1)),
      );
      const events = await world()
        .bridge.services.storage.reader.selectFrom('events')
        .select(['verb', 'object_type', 'subject_user_id'])
        .where('organization_id', '=', created.body.id)
        .orderBy('recorded_at')
        .execute();
      expect(events).toEqual([
        { verb: 'create', object_type: 'organization', subject_user_id: person.userId },
        { verb: 'create', object_type: 'user', subject_user_id: person.userId },
      ]);
    });

    it('has a name and features that an administrator changes, and whitelabel opens the action endpoint', async () => {
      const client = await world().newOrganization();
      const { gadgetId } = await aDoor(world(), client);
      const admin = await signedIn(world(), client.organizationId, 'administrator');
      const edited = await admin.done('PATCH', '', { name: 'Grand Hotel', features: { whitelabel: false } });
      expect(edited).toMatchObject({ name: 'Grand Hotel', features: { whitelabel: false }, role: 'administrator' });
      const open = () => client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
      expect((await open()).status).toBe(403);
      await admin.done('PATCH', '', { features: { whitelabel: true } });
      expect((await open()).status).toBe(200);
      expect(field(await admin.call('PATCH', '', { features: { flying: true } }))).toBe('features.flying');
    });
  });

  describe('users', () => {
    const arrange = async (): Promise<{ owner: AdminClient; admin: AdminClient; siteId: string }> => {
      const client = await world().newOrganization();
      const { siteId } = await aDoor(world(), client);
      const { organizationId } = client;
      return {
        owner: await signedIn(world(), organizationId, 'owner'),
        admin: await signedIn(world(), organizationId, 'administrator'),
        siteId,
      };
    };

    it('are added with a first password, which works, or with the account they have', async () => {
      const { admin } = await arrange();
      const email = freshEmail();
      expect(field(await admin.call('POST', '/users', { email, role: 'viewer' }))).toBe('password');
      const added = await admin.done('POST', '/users', { email, role: 'viewer', password: 'long enough', name: 'Vi' });
      expect(added).toMatchObject({ email, name: 'Vi', role: 'viewer', site_ids: [] });
      expect(JSON.stringify(added)).not.toContain('long enough');
      const page = await new Visitor(world().bridge.app).logIn(email, 'long enough');
      expect(page.status).toBe(303);
      expect(field(await admin.call('POST', '/users', { email, role: 'viewer' }))).toBe('email');
      const { admin: other } = await arrange();
      const again = { email: email.toUpperCase(), role: 'technician' };
      expect(field(await other.call('POST', '/users', { ...again, password: 'another one' }))).toBe('password');
      expect(await other.done('POST', '/users', again)).toMatchObject({ id: added.id, email, role: 'technician' });
    });

    it('that are technicians have sites of the organization, and nobody else has', async () => {
      const { admin, siteId } = await arrange();
      const { siteId: foreign } = await aDoor(world(), await world().newOrganization());
      const body = { email: freshEmail(), password: 'long enough' };
      const refused = async (more: object) => field(await admin.call('POST', '/users', { ...body, ...more }));
      expect(await refused({ role: 'technician', site_ids: [siteId, foreign] })).toBe('site_ids.1');
      expect(await refused({ role: 'viewer', site_ids: [siteId] })).toBe('site_ids');
      const { id } = await admin.done('POST', '/users', { ...body, role: 'technician', site_ids: [siteId, siteId] });
      expect((await admin.get(`/users/${id}`)).body).toMatchObject({ role: 'technician', site_ids: [siteId] });
      expect(await admin.done('PATCH', `/users/${id}`, { role: 'viewer' })).toMatchObject({ site_ids: [] });
    });

    it('that are owners are the affair of owners', async () => {
      const { owner, admin } = await arrange();
      const body = { email: freshEmail(), role: 'owner', password: 'long enough' };
      expect((await admin.call('POST', '/users', body)).status).toBe(403);
      expect((await admin.call('PATCH', `/users/${admin.userId}`, { role: 'owner' })).status).toBe(403);
      expect((await admin.call('PATCH', `/users/${owner.userId}`, { role: 'viewer' })).status).toBe(403);
      expect((await admin.call('DELETE', `/users/${owner.userId}`)).status).toBe(403);
      const token = await withToken(world(), owner.organizationId, 'full_read_write');
      expect((await token.call('POST', '/users', body)).status).toBe(403);
      expect((await owner.call('POST', '/users', body)).status).toBe(200);
    });

    it('keep at least one owner', async () => {
      const { owner, admin } = await arrange();
      expect(field(await owner.call('PATCH', `/users/${owner.userId}`, { role: 'viewer' }))).toBe('role');
      expect(field(await owner.call('DELETE', `/users/${owner.userId}`))).toBe('user_id');
      await owner.done('PATCH', `/users/${admin.userId}`, { role: 'owner' });
      expect((await owner.call('DELETE', `/users/${owner.userId}`)).status).toBe(200);
      expect((await owner.get('')).status).toBe(404);
    });

    it('lose their part at once when they are removed, and every change names who made it', async () => {
      const { owner, admin } = await arrange();
      await owner.done('PATCH', `/users/${admin.userId}`, { role: 'viewer' });
      expect((await admin.call('POST', '/sites', { name: 'Too late' })).status).toBe(403);
      await owner.done('PATCH', `/users/${admin.userId}`, { role: 'viewer' });
      await owner.done('DELETE', `/users/${admin.userId}`);
      expect((await admin.get('')).status).toBe(404);
      expect((await owner.call('DELETE', `/users/${admin.userId}`)).status).toBe(404);
      const { organizationId } = owner;
      expect((await eventsOf(world(), { organizationId } as never)).slice(-2)).toEqual([
        `edit user ${admin.userId}`,
        `delete user ${admin.userId}`,
      ]);
      const token = await withToken(world(), organizationId, 'full_read_write');
      await token.done('POST', '/sites', { name: 'By token' });
      const events = await world()
        .bridge.services.storage.reader.selectFrom('events')
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

    it('are listed page by page', async () => {
      const { owner } = await arrange();
      for (let index = 0; index < 3; index++) await signedIn(world(), owner.organizationId, 'viewer');
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

  describe('applications', () => {
    it('show their secret when they are created, and never again', async () => {
      const { organizationId } = await world().newOrganization();
      const admin = await signedIn(world(), organizationId, 'administrator');
      const created = await admin.done('POST', '/applications', {
        name: 'PMS',
        redirect_uris: ['https://pms.example/cb'],
      });
      expect(created['client_secret']).toMatch(/^lcs_/);
      const { client_secret: _, ...shown } = created;
      expect((await admin.get(`/applications/${created.id}`)).body).toEqual(shown);
      expect((await admin.get('/applications')).body.data[0]).toEqual(shown);
      const edited = await admin.done('PATCH', `/applications/${created.id}`, { name: 'Better PMS' });
      expect(edited).toEqual({ ...shown, name: 'Better PMS' });
      const open = await admin.done('POST', '/applications', { name: 'App', is_public: true });
      expect(open['client_secret']).toBeNull();
      const bad = { name: 'X', redirect_uris: ['https://a.example/', 'javascript:alert(1)'] };
      expect(field(await admin.call('POST', '/applications', bad))).toBe('redirect_uris.1');
      expect(field(await admin.call('PATCH', `/applications/${created.id}`, { redirect_uris: ['x'] }))).toBe(
        'redirect_uris.0',
      );
    });

    it('that are retried with a key answer the same secret once more', async () => {
      const { organizationId } = await world().newOrganization();
      const admin = await signedIn(world(), organizationId, 'administrator');
      const keyed = { ...admin.headers, 'idempotency-key': 'once' };
      const path = `/organizations/${organizationId}/applications`;
      const first = await admin.ask('POST', path, { name: 'PMS' }, keyed);
      const again = await admin.ask('POST', path, { name: 'PMS' }, keyed);
      expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
      expect((await admin.get('/applications')).body.data.filter(({ name }) => name === 'PMS')).toHaveLength(1);
    });

    it('end with their tokens, in every organization that has authorized them', async () => {
      const makers = await world().newOrganization();
      const guests = await world().newOrganization();
      const admin = await signedIn(world(), makers.organizationId, 'administrator');
      const { applicationId } = makers;
      const visiting = await world().client(guests.organizationId, applicationId, 'full_read_write');
      const grant = { oauth_application_id: applicationId, user_id: null, created_at: world().now };
      await world()
        .bridge.services.storage.writer.insertInto('oauth_grants')
        .values([{ ...grant, organization_id: guests.organizationId }])
        .execute();
      expect((await visiting.get('/members')).status).toBe(200);
      expect(await admin.done('DELETE', `/applications/${applicationId}`)).toMatchObject({ is_deleted: true });
      expect((await visiting.get('/members')).status).toBe(401);
      expect((await makers.get('/members')).status).toBe(401);
      expect((await admin.call('PATCH', `/applications/${applicationId}`, { name: 'Back' })).status).toBe(404);
      const events = await eventsOf(world(), makers);
      await admin.done('DELETE', `/applications/${applicationId}`);
      expect(await eventsOf(world(), makers)).toEqual(events);
      expect(events.at(-1)).toBe(`delete oauth_application ${applicationId}`);
    });

    it('of another organization are not there', async () => {
      const other = await world().newOrganization();
      const admin = await signedIn(world(), (await world().newOrganization()).organizationId, 'owner');
      for (const method of ['GET', 'DELETE'] as const) {
        expect((await admin.call(method, `/applications/${other.applicationId}`)).status).toBe(404);
      }
    });
  });

  it('ends an authorization: its tokens and webhooks in this organization', async () => {
    const client = await world().newOrganization();
    const { organizationId, applicationId } = client;
    const admin = await signedIn(world(), organizationId, 'administrator');
    const grant = { organization_id: organizationId, oauth_application_id: applicationId, created_at: world().now };
    await world()
      .bridge.services.storage.writer.insertInto('oauth_grants')
      .values({ ...grant, user_id: admin.userId })
      .execute();
    await client.done('POST', '/webhooks', { url: 'https://pms.example/hook' });
    const listed = { oauth_application_id: applicationId, name: 'Test application', user_id: admin.userId };
    expect((await admin.get('/authorizations')).body.data).toMatchObject([listed]);
    expect(await admin.done('DELETE', `/authorizations/${applicationId}`)).toMatchObject(listed);
    expect((await client.get('/webhooks')).status).toBe(401);
    expect((await admin.get('/authorizations')).body.data).toEqual([]);
    expect((await admin.call('DELETE', `/authorizations/${applicationId}`)).status).toBe(404);
    expect((await eventsOf(world(), client)).filter(event => event.startsWith('delete webhook'))).toHaveLength(1);
  });
});
