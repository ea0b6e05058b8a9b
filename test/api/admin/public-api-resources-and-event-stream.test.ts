import { beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { EventStreamClient } from '../../support/bridge/event-stream-client.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';

describeOnSqliteFirst(
  'member resources of the administration API',
  bridge => {
    let client: TestOrganizationClient;
    let admin: AdminClient;
    let gadgetId: string;

    beforeAll(async () => {
      client = await bridge().newOrganization();
      admin = await openAdminSession(bridge(), client.organizationId, 'administrator');
      ({ gadgetId } = await createTestDoor(bridge(), client));
      await bridge().listen('127.0.0.1', 0);
    });

    const lastEvent = async (filter: string) => (await admin.callOk('GET', `/events?${filter}&limit=1`)).data[0]!;

    it('are the objects of the public API, with the user as the subject of the events', async () => {
      const member = await admin.callOk('POST', '/members', { name: 'Ann', metadata: { source: 'console' } });
      expect(await client.callOk('GET', `/members/${member.id}`)).toEqual(member);
      const event = await lastEvent(`object.member_id=${member.id}`);
      expect(event).toMatchObject({ verb: 'create', subject: { user_id: admin.userId } });
      expect(event['subject']).not.toHaveProperty('oauth_application_id');
      expect((await admin.callOk('GET', '/events?expand=subject_user&limit=1')).data[0]).toMatchObject({
        subject_user: { id: admin.userId },
      });
    });

    it('include all credentials and group associations of a member', async () => {
      const { id } = await admin.callOk('POST', '/members', { name: 'Ben' });
      const group = await admin.callOk('POST', '/member_groups', {
        name: 'Staff',
        permissions: [{ gadget_id: gadgetId }],
      });
      const pin = await admin.callOk('POST', `/members/${id}/pins`, { length: 6 });
      await admin.callOk('POST', `/members/${id}/emails`, { email: 'ben@example.test' });
      await admin.callOk('POST', `/members/${id}/magic_links`, {});
      await admin.callOk('POST', `/members/${id}/cards`, { uid: '04aabbccdd1122' });
      await admin.callOk('POST', `/members/${id}/tokens`, {});
      await admin.callOk('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
      const expand = 'emails,magic_links,pins,cards,tokens,group_associations.member_group';
      expect(await admin.callOk('GET', `/members/${id}?expand=${expand}`)).toMatchObject({
        emails: [{ email: 'ben@example.test' }],
        magic_links: [{}],
        pins: [{ id: pin.id }],
        cards: [{ uid: '04aabbccdd1122' }],
        tokens: [{}],
        group_associations: [{ member_group: { name: 'Staff' } }],
      });
      expect(await admin.callOk('POST', `/members/${id}/pins/${pin.id}/reveal`, {})).toMatchObject({ pin: pin['pin'] });
      expect(await lastEvent(`object.member_pin_id=${pin.id}`)).toMatchObject({
        verb: 'reveal',
        subject: { user_id: admin.userId },
      });
    });

    it('have the filters, sorts and cursors of the public API', async () => {
      for (const name of ['Zoe', 'Yan', 'Xia']) {
        await admin.callOk('POST', '/members', { name, metadata: { source: 'paging' } });
      }
      const query = '/members?metadata.source=paging&sort=name:asc&limit=2';
      const first = await admin.callOk('GET', query);
      const second = await admin.callOk('GET', `${query}&cursor=${first.cursor_next}`);
      expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['Xia', 'Yan', 'Zoe']);
      expect((await client.call('GET', `${query}&cursor=${first.cursor_next}`)).status).toBe(200);
    });

    it('support idempotency keys', async () => {
      const headers = { ...admin.headers, 'idempotency-key': 'one-member' };
      const path = `/organizations/${client.organizationId}/members`;
      const first = await admin.callRoot('POST', path, { name: 'Once' }, headers);
      const again = await admin.callRoot('POST', path, { name: 'Once' }, headers);
      expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', first.body]);
    });

    it('let a user open a door without the whitelabel feature, which only applications need', async () => {
      const plain = await bridge().newOrganization();
      const { gadgetId: door } = await createTestDoor(bridge(), plain);
      const user = await openAdminSession(bridge(), plain.organizationId, 'front_desk');
      await bridge()
        .services.storage.writer.updateTable('organizations')
        .set({ whitelabel: 0 })
        .where('id', '=', plain.organizationId)
        .execute();
      const path = `/gadgets/${door}/actions/open`;
      expect((await plain.call('POST', path, {})).status).toBe(403);
      expect((await user.call('POST', path, {})).body).toEqual({});
      const { data } = await plain.callOk('GET', '/events?object.type=gadget_action');
      expect(data).toMatchObject([{ verb: 'use', subject: { user_id: user.userId, access_method: 'online' } }]);
    });

    describe('event stream', () => {
      const path = () => `/admin/v1/organizations/${client.organizationId}/events/stream?object.type=member`;
      const open = (headers: Readonly<Record<string, string>>) => EventStreamClient.openAt(bridge(), path(), headers);

      it('sends events to a browser of a signed-in user', async () => {
        const stream = await open({ ...admin.headers, origin: 'http://bridge.test' });
        const { id } = await admin.callOk('POST', '/members', {});
        expect(await stream.members(1)).toEqual([id]);
        await stream.close();
      });

      it('rejects pages of other origins, other organizations and roles without access to events', async () => {
        await expect(open({ ...admin.headers, origin: 'https://elsewhere.test' })).rejects.toThrow();
        const stranger = await openAdminSession(bridge(), client.organizationId, null);
        await expect(open(stranger.headers)).rejects.toThrow();
        const technician = await openAdminSession(bridge(), client.organizationId, 'technician');
        await expect(open(technician.headers)).rejects.toThrow();
        await expect(open({})).rejects.toThrow();
        expect((await admin.get('/events/stream')).status).toBe(400);
      });

      it('ends with the session', async () => {
        const user = await openAdminSession(bridge(), client.organizationId, 'viewer');
        const stream = await open(user.headers);
        const headers = { ...user.headers, 'content-type': 'application/x-www-form-urlencoded' };
        const payload = `form_token=${user.headers['x-csrf-token']}`;
        const signOut = await bridge().app.inject({ method: 'POST', url: '/logout', headers, payload });
        expect(signOut.statusCode).toBe(303);
        expect(await stream.closed).toMatchObject({ code: 4401 });
      });

      it('ends when the user loses the role', async () => {
        const user = await openAdminSession(bridge(), client.organizationId, 'viewer');
        const stream = await open(user.headers);
        await admin.callOk('PATCH', `/users/${user.userId}`, { role: 'technician' });
        expect(await stream.closed).toMatchObject({ code: 4401 });
      });
    });
  },
  { streamCheckMs: 50 },
);
