import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { WebhookTestServer } from '../../support/bridge/webhook-test-server.ts';

describeOnSqliteFirst(
  'webhooks of an application in the administration API',
  bridge => {
    let receiver: WebhookTestServer;
    let client: TestOrganizationClient;
    let admin: AdminClient;
    let path: string;

    beforeAll(async () => {
      receiver = await WebhookTestServer.open();
      client = await bridge().newOrganization();
      admin = await openAdminSession(bridge(), client.organizationId, 'administrator');
      path = `/applications/${client.applicationId}/webhooks`;
    });
    afterAll(() => receiver.close());

    it('are those that the application sees, and a user can create, edit and delete them', async () => {
      const { secret, ...created } = await admin.callOk('POST', path, {
        url: `${receiver.url}/crud`,
        filter: [{ object_type: 'tag' }],
      });
      expect(secret).toMatch(/^whs_/);
      expect(await client.callOk('GET', `/webhooks/${created.id}`)).toEqual(created);
      const edited = await admin.callOk('PATCH', `${path}/${created.id}`, { metadata: { note: 'console' } });
      expect((await admin.callOk('GET', path)).data).toEqual([edited]);
      const [event] = (await admin.callOk('GET', `/events?object.webhook_id=${created.id}&verb=edit`)).data;
      expect(event!['subject']).toMatchObject({ user_id: admin.userId });
      expect(event!['subject']).not.toHaveProperty('oauth_application_id');
      await client.callOk('POST', '/tags', { name: 'VIP' });
      await receiver.received('/crud', 1);
      const deliveries = async () => (await admin.callOk('GET', `${path}/${created.id}/deliveries`)).data;
      await expect.poll(async () => (await deliveries())[0]?.['status']).toBe('delivered');
      const [delivery] = await deliveries();
      await admin.callOk('POST', `${path}/${created.id}/deliveries/${delivery!.id}/redeliver`, {});
      await receiver.received('/crud', 2);
      await admin.callOk('DELETE', `${path}/${created.id}`);
      expect((await client.callOk('GET', '/webhooks')).data).toEqual([]);
    });

    it('send a test event, whatever their filter', async () => {
      const { id } = await admin.callOk('POST', path, { url: `${receiver.url}/test`, filter: [] });
      const delivery = await admin.callOk('POST', `${path}/${id}/test`, {});
      const [received] = await receiver.received('/test', 1);
      expect(received!.event).toMatchObject({
        verb: 'check',
        object: { type: 'webhook', webhook_id: id },
        subject: { user_id: admin.userId },
      });
      const status = async () =>
        (await admin.callOk('GET', `${path}/${id}/deliveries/${delivery.id}`))['response_status'];
      await expect.poll(status).toBe(204);
      await admin.callOk('PATCH', `${path}/${id}`, { is_enabled: false });
      expect((await admin.call('POST', `${path}/${id}/test`, {})).status).toBe(400);
    });

    it('stay private to applications of other organizations', async () => {
      const other = await bridge().newOrganization();
      const { token } = await bridge().client(client.organizationId, other.applicationId, 'full_read_write');
      const { payload } = await bridge().app.inject({
        method: 'POST',
        url: '/v2/webhooks',
        headers: { authorization: `Bearer ${token}` },
        payload: { url: `${receiver.url}/private` },
      });
      expect(payload).toContain('/private');
      expect((await admin.get(`/applications/${other.applicationId}/webhooks`)).status).toBe(404);
      expect(JSON.stringify((await admin.get(path)).body)).not.toContain('/private');
    });
  },
  { webhookAllow: ['127.0.0.0/8'], webhookSweepMs: 20 },
);
