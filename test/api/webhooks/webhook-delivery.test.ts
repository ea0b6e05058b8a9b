import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiBody, OrganizationClient } from '../../support/bridge/test-bridge.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';
import {
  waitForDeliveryAttempts,
  listWebhookDeliveries,
  expectDeliveries,
  secondsUntilNextAttempt,
} from '../../support/bridge/webhook-deliveries.ts';
import { expectedSignature, WebhookTestServer } from '../../support/bridge/webhook-test-server.ts';

const loopback = { webhookAllow: ['127.0.0.0/8'], webhookSweepMs: 20 };

let receiver: WebhookTestServer;
beforeAll(async () => {
  receiver = await WebhookTestServer.open();
});
afterAll(() => receiver.close());

let paths = 0;
const newPath = (): string => `/hook-${++paths}`;

const members = [{ object_type: 'member' }];

const createWebhook = (client: OrganizationClient, path: string, given: object = {}): Promise<ApiBody> =>
  client.callOk('POST', '/webhooks', { url: receiver.url + path, filter: members, ...given });

describeOnBothDatabases(
  'webhooks',
  bridge => {
    it('send the event in API format, with a signature of the raw body', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      const webhook = await createWebhook(client, path);
      await client.callOk('POST', '/members', { name: 'Ännä ☃' });
      const [delivered] = await receiver.received(path, 1);
      expect(delivered?.event).toEqual(await client.callOk('GET', `/events/${delivered?.event.id}`));
      expect(delivered?.headers['content-type']).toBe('application/json');
      expect(delivered?.headers['x-service-sig-sha256']).toBe(
        expectedSignature(webhook['secret'] as string, delivered!.raw),
      );
      await expectDeliveries(client, webhook.id, ['delivered']);
      expect((await listWebhookDeliveries(client, webhook.id))[0]).toEqual({
        id: expect.stringMatching(/^whd_/),
        organization_id: client.organizationId,
        webhook_id: webhook.id,
        event_id: delivered?.event.id,
        created_at: expect.any(String),
        status: 'delivered',
        attempts: 1,
        request_url: receiver.url + path,
        response_status: 204,
        response_body: null,
        error: null,
        duration_ms: expect.any(Number),
        last_attempt_at: expect.any(String),
        next_attempt_at: null,
      });
    });

    it('send an event once if any rule matches, and nothing with an empty filter', async () => {
      const client = await bridge().newOrganization();
      const [both, twin, empty, deletions] = [newPath(), newPath(), newPath(), newPath()];
      const rules = [
        { object_type: 'member' },
        { 'object.type': 'member', verb: 'create' },
        { 'created_at:gt': '2000-01-01T00:00:00Z', object_type: 'member' },
      ];
      await createWebhook(client, both, { filter: rules });
      await createWebhook(client, twin, { filter: rules });
      const silent = await createWebhook(client, empty, { filter: [] });
      await createWebhook(client, deletions, { filter: [{ object_type: 'member', verb: 'delete' }] });
      const member = await client.callOk('POST', '/members', {});
      await client.callOk('POST', '/tags', { name: 'no member' });
      await client.callOk('DELETE', `/members/${member.id}`);
      await Promise.all([receiver.received(both, 2), receiver.received(twin, 2), receiver.received(deletions, 1)]);
      expect(receiver.at(both).map(({ event }) => event['verb'])).toEqual(['create', 'delete']);
      expect(receiver.at(twin).map(({ event }) => event.id)).toEqual(receiver.at(both).map(({ event }) => event.id));
      expect(receiver.at(deletions)).toHaveLength(1);
      expect(await listWebhookDeliveries(client, silent.id)).toEqual([]);
    });

    it('support the filters of the event list', async () => {
      const client = await bridge().newOrganization();
      const { gadgetId } = await createTestDoor(bridge(), client);
      const other = await createTestDoor(bridge(), client);
      const path = newPath();
      await createWebhook(client, path, { filter: [{ 'object.gadget_id': gadgetId, verb: 'use' }] });
      for (const id of [other.gadgetId, gadgetId]) await client.callOk('POST', `/gadgets/${id}/actions/open`, {});
      await receiver.received(path, 1);
      expect(receiver.at(path).map(({ event }) => event['object'])).toMatchObject([{ gadget_id: gadgetId }]);
    });

    it('expand the event as configured', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      await createWebhook(client, path, { expand: ['object_member', 'subject_oauth_application'] });
      await client.callOk('POST', '/members', { name: 'Ann' });
      const [delivered] = await receiver.received(path, 1);
      expect(delivered?.event).toMatchObject({
        object_member: { name: 'Ann' },
        subject_oauth_application: { id: client.applicationId },
      });
    });

    it('keep the order of events, also across a failure', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      let answers = 0;
      receiver.answer(path, (_, response) => {
        answers += 1;
        response.writeHead(answers === 2 ? 500 : 200).end();
      });
      const webhook = await createWebhook(client, path);
      const ids: string[] = [];
      for (let count = 0; count < 5; count++) ids.push((await client.callOk('POST', '/members', {})).id);
      await receiver.received(path, 2);
      const webhookId = webhook.id;
      await expect
        .poll(async () => {
          const waiting = (await client.callOk('GET', `/webhooks/${webhookId}/deliveries?status=pending`)).data;
          return waiting.filter(one => one['attempts'] === 1);
        })
        .toHaveLength(1);
      bridge().advanceSeconds(4);
      await receiver.received(path, 6);
      const seen = receiver.at(path).map(({ event }) => (event['object'] as { member_id: string }).member_id);
      expect(seen).toEqual([ids[0], ids[1], ids[1], ids[2], ids[3], ids[4]]);
    });

    it('retry after three seconds with exponential backoff and the same body, and log each attempt', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      receiver.answer(path, (_, response) => void response.writeHead(503).end('not now'));
      const webhook = await createWebhook(client, path, { expand: ['object_member'] });
      const member = await client.callOk('POST', '/members', { name: 'before' });
      await receiver.received(path, 1);
      await client.callOk('PATCH', `/members/${member.id}`, { name: 'after' });
      const waits: number[] = [];
      for (let attempts = 1; attempts <= 4; attempts++) {
        const delivery = await waitForDeliveryAttempts(client, webhook.id, attempts);
        expect(delivery).toMatchObject({ status: 'pending', response_status: 503, response_body: 'not now' });
        waits.push(secondsUntilNextAttempt(bridge(), delivery));
        bridge().advanceSeconds(waits.at(-1)!);
        await receiver.received(path, attempts + 1);
      }
      for (const [index, wait] of waits.entries()) {
        expect(wait).toBeGreaterThanOrEqual(3 * 2 ** index * 0.8);
        expect(wait).toBeLessThanOrEqual(3 * 2 ** index * 1.2);
      }
      expect(new Set(receiver.at(path).map(({ raw }) => raw.toString('utf8'))).size).toBe(1);
    });

    it('stop retrying an event after one hour, and then start with the next event', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      receiver.answer(path, (_, response) => void response.writeHead(500).end());
      const webhook = await createWebhook(client, path);
      for (let count = 0; count < 2; count++) await client.callOk('POST', '/members', {});
      let waited = 0;
      for (let attempts = 1; ; attempts++) {
        const reader = await bridge().client(client.organizationId, client.applicationId, 'full_read_only');
        const delivery = await waitForDeliveryAttempts(reader, webhook.id, attempts);
        if (delivery['status'] === 'failed') break;
        const wait = secondsUntilNextAttempt(bridge(), delivery);
        waited += wait;
        bridge().advanceSeconds(wait);
        await receiver.received(path, attempts + 1);
      }
      expect(waited).toBeGreaterThan(1500);
      expect(waited).toBeLessThanOrEqual(3600);
      await expect.poll(() => new Set(receiver.at(path).map(({ event }) => event.id)).size).toBeGreaterThan(1);
      const later = await bridge().client(client.organizationId, client.applicationId, 'full_read_only');
      await expectDeliveries(later, webhook.id, ['failed', 'pending']);
      const given = (await later.callOk('GET', `/webhooks/${webhook.id}/deliveries?status=failed`)).data;
      expect(given).toMatchObject([
        { response_status: 500, next_attempt_at: null, event_id: receiver.at(path)[0]?.event.id },
      ]);
    });

    it('respect Retry-After', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      receiver.answer(path, (_, response) => void response.writeHead(429, { 'retry-after': '120' }).end());
      const webhook = await createWebhook(client, path);
      await client.callOk('POST', '/members', {});
      await receiver.received(path, 1);
      await expect
        .poll(async () => {
          const [delivery] = await listWebhookDeliveries(client, webhook.id);
          return Date.parse(delivery?.['next_attempt_at'] as string) - bridge().now;
        })
        .toBe(120_000);
    });

    it('do not follow a redirect', async () => {
      const client = await bridge().newOrganization();
      const [path, elsewhere] = [newPath(), newPath()];
      receiver.answer(path, (_, response) => void response.writeHead(307, { location: elsewhere }).end());
      const webhook = await createWebhook(client, path);
      await client.callOk('POST', '/members', {});
      await receiver.received(path, 1);
      await expectDeliveries(client, webhook.id, ['pending']);
      await expect
        .poll(async () => (await listWebhookDeliveries(client, webhook.id))[0])
        .toMatchObject({ response_status: 307 });
      expect(receiver.at(elsewhere)).toEqual([]);
    });

    it('redeliver an event on request, in the same log entry', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      const webhook = await createWebhook(client, path);
      await client.callOk('POST', '/members', {});
      await receiver.received(path, 1);
      await expectDeliveries(client, webhook.id, ['delivered']);
      const [{ id } = { id: '' }] = await listWebhookDeliveries(client, webhook.id);
      const ordered = await client.callOk('POST', `/webhooks/${webhook.id}/deliveries/${id}/redeliver`, {});
      expect(ordered).toMatchObject({ id, status: 'pending', attempts: 0 });
      await receiver.received(path, 2);
      await expectDeliveries(client, webhook.id, ['delivered']);
      expect(receiver.at(path)[1]?.raw).toEqual(receiver.at(path)[0]?.raw);
      expect(await client.callOk('GET', `/webhooks/${webhook.id}/deliveries/${id}`)).toMatchObject({ attempts: 1 });
    });

    it('hide the delivery log from other applications', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      const webhook = await createWebhook(client, path);
      await client.callOk('POST', '/members', {});
      await receiver.received(path, 1);
      const [{ id } = { id: '' }] = await listWebhookDeliveries(client, webhook.id);
      for (const other of [await bridge().newApplication(client.organizationId), await bridge().newOrganization()]) {
        expect((await other.get(`/webhooks/${webhook.id}/deliveries`)).status).toBe(404);
        expect((await other.get(`/webhooks/${webhook.id}/deliveries/${id}`)).status).toBe(404);
        const order = await other.call('POST', `/webhooks/${webhook.id}/deliveries/${id}/redeliver`, {});
        expect(order.status).toBe(404);
      }
    });

    it('pause while disabled, and stop when deleted', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      receiver.answer(path, (_, response) => void response.writeHead(500).end());
      const webhook = await createWebhook(client, path);
      await client.callOk('POST', '/members', {});
      await waitForDeliveryAttempts(client, webhook.id, 1);
      await client.callOk('PATCH', `/webhooks/${webhook.id}`, { is_enabled: false });
      await client.callOk('POST', '/members', {});
      bridge().advanceSeconds(60);
      const order = await client.call('POST', `/webhooks/${webhook.id}/deliveries/whd_none/redeliver`, {});
      expect(order.status).toBe(404);
      expect((await listWebhookDeliveries(client, webhook.id)).length).toBe(1);
      await client.callOk('PATCH', `/webhooks/${webhook.id}`, { is_enabled: true });
      await waitForDeliveryAttempts(client, webhook.id, 2);
      await client.callOk('DELETE', `/webhooks/${webhook.id}`);
      bridge().advanceSeconds(60);
      await expectDeliveries(client, webhook.id, ['failed']);
      expect(receiver.at(path)).toHaveLength(2);
    });

    it('are disabled after one day of failures, with an event', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      receiver.answer(path, (_, response) => void response.writeHead(500).end());
      const webhook = await createWebhook(client, path);
      await client.callOk('POST', '/members', {});
      await receiver.received(path, 1);
      await client.callOk('POST', '/members', {});
      await expectDeliveries(client, webhook.id, ['pending', 'pending']);
      bridge().advanceSeconds(86_400);
      const again = await bridge().client(client.organizationId, client.applicationId, 'full_read_write');
      await expect.poll(() => again.callOk('GET', `/webhooks/${webhook.id}`)).toMatchObject({ is_enabled: false });
      const events = (await again.callOk('GET', `/events?object.webhook_id=${webhook.id}&verb=edit`)).data;
      expect(events).toMatchObject([{ object: { type: 'webhook', webhook_id: webhook.id }, subject: {} }]);
    });

    it('do not let a slow receiver delay another', async () => {
      const client = await bridge().newOrganization();
      const [hanging, quick] = [newPath(), newPath()];
      receiver.answer(hanging, () => undefined);
      await createWebhook(client, hanging);
      await createWebhook(client, quick);
      for (let count = 0; count < 3; count++) await client.callOk('POST', '/members', {});
      await receiver.received(quick, 3);
      expect(receiver.at(hanging).length).toBeLessThanOrEqual(1);
    });
  },
  loopback,
);
