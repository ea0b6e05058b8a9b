import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ApiBody, TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
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

const createWebhook = (client: TestOrganizationClient, path: string, given: object = {}): Promise<ApiBody> =>
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
        note: null,
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

    it('deliver later events while an event that failed waits for its retry', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      let failing = '';
      receiver.answer(path, ({ event }, response) => {
        const { member_id } = event['object'] as { member_id: string };
        response.writeHead(member_id === failing ? 500 : 200).end();
      });
      const webhook = await createWebhook(client, path, { filter: [{ object_type: 'member', verb: 'edit' }] });
      const ids: string[] = [];
      for (let count = 0; count < 5; count++) ids.push((await client.callOk('POST', '/members', {})).id);
      failing = ids[1]!;
      for (const id of ids) await client.callOk('PATCH', `/members/${id}`, { name: 'edited' });
      await expectDeliveries(client, webhook.id, ['pending', ...Array.from({ length: 4 }, () => 'delivered')]);
      const delivery = await waitForDeliveryAttempts(client, webhook.id, 1, 'pending');
      failing = '';
      bridge().advanceSeconds(secondsUntilNextAttempt(bridge(), delivery));
      await receiver.received(path, 6);
      const seen = receiver.at(path).map(({ event }) => (event['object'] as { member_id: string }).member_id);
      expect(seen).toEqual([...ids, ids[1]]);
      await expectDeliveries(
        client,
        webhook.id,
        Array.from({ length: 5 }, () => 'delivered'),
      );
    });
  },
  loopback,
);

describeOnBothDatabases(
  'webhook deliveries',
  bridge => {
    it('end the deliveries of an event that the receiver answers with 410 Gone', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      receiver.answer(path, (_, response) => void response.writeHead(410).end());
      const webhook = await createWebhook(client, path);
      await client.callOk('POST', '/members', {});
      await expectDeliveries(client, webhook.id, ['failed']);
      const [delivery] = await listWebhookDeliveries(client, webhook.id);
      expect(delivery).toMatchObject({ attempts: 1, response_status: 410, next_attempt_at: null });
      receiver.answer(path, null);
      await client.callOk('POST', '/members', {});
      await expectDeliveries(client, webhook.id, ['delivered', 'failed']);
      expect(await client.callOk('GET', `/webhooks/${webhook.id}`)).toMatchObject({ is_enabled: true });
    });

    it('retry after three seconds with exponential backoff and the same body, and log each attempt', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      receiver.answer(path, (_, response) => void response.writeHead(503).end('not now'));
      const webhook = await createWebhook(client, path, {
        expand: ['object_member'],
        filter: [{ object_type: 'member', verb: 'create' }],
      });
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
        // In milliseconds, because 3 * 0.8 is more than 2.4.
        expect(wait * 1000).toBeGreaterThanOrEqual(2400 * 2 ** index);
        expect(wait * 1000).toBeLessThanOrEqual(3600 * 2 ** index);
      }
      expect(new Set(receiver.at(path).map(({ raw }) => raw.toString('utf8'))).size).toBe(1);
    });

    it('stop retrying each event one hour after its first attempt', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      receiver.answer(path, (_, response) => void response.writeHead(500).end());
      const webhook = await createWebhook(client, path);
      for (let count = 0; count < 2; count++) await client.callOk('POST', '/members', {});
      const reader = () => bridge().client(client.organizationId, client.applicationId, 'full_read_only');
      let waited = 0;
      for (let attempts = 1; ; attempts++) {
        const caller = await reader();
        const deliveries = await vi.waitFor(
          async () => {
            const listed = await listWebhookDeliveries(caller, webhook.id);
            expect(listed.map(one => one['attempts'])).toEqual([attempts, attempts]);
            return listed;
          },
          { timeout: 60_000, interval: 10 },
        );
        if (deliveries.every(({ status }) => status === 'failed')) {
          expect(deliveries).toMatchObject([{ response_status: 500, next_attempt_at: null }, { response_status: 500 }]);
          break;
        }
        const pending = deliveries.filter(({ status }) => status === 'pending');
        expect(pending).toHaveLength(2);
        const wait = Math.max(...pending.map(delivery => secondsUntilNextAttempt(bridge(), delivery)));
        waited += wait;
        bridge().advanceSeconds(wait);
      }
      expect(waited).toBeGreaterThan(1500);
      expect(waited).toBeLessThanOrEqual(3600);
      // A redelivery has its own hour.
      const caller = await reader();
      const [{ id } = { id: '' }] = await listWebhookDeliveries(caller, webhook.id);
      await caller.callOk('POST', `/webhooks/${webhook.id}/deliveries/${id}/redeliver`, {});
      expect(await waitForDeliveryAttempts(caller, webhook.id, 1)).toMatchObject({ id, status: 'pending' });
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
      const redeliver = (webhookId: string) =>
        client.call('POST', `/webhooks/${webhookId}/deliveries/${id}/redeliver`, {});
      expect((await redeliver((await createWebhook(client, newPath())).id)).status).toBe(404);
      await client.callOk('PATCH', `/webhooks/${webhook.id}`, { is_enabled: false });
      expect(await redeliver(webhook.id)).toMatchObject({ status: 400, body: { args: { field: 'is_enabled' } } });
      await client.callOk('DELETE', `/webhooks/${webhook.id}`);
      expect((await redeliver(webhook.id)).status).toBe(404);
    });

    it('send a test event on request, whatever the filter, to this webhook only', async () => {
      const client = await bridge().newOrganization();
      const [path, otherPath] = [newPath(), newPath()];
      const webhook = await createWebhook(client, path, { filter: [] });
      await createWebhook(client, otherPath);
      const queued = await client.callOk('POST', `/webhooks/${webhook.id}/test`, {});
      expect(queued).toMatchObject({ webhook_id: webhook.id, status: 'pending', attempts: 0 });
      const [delivered] = await receiver.received(path, 1);
      expect(delivered?.event).toMatchObject({ verb: 'check', object: { webhook_id: webhook.id } });
      expect(receiver.at(otherPath)).toEqual([]);
      const other = await bridge().newApplication(client.organizationId);
      expect((await other.call('POST', `/webhooks/${webhook.id}/test`, {})).status).toBe(404);
      const reader = await bridge().client(client.organizationId, client.applicationId, 'full_read_only');
      expect((await reader.call('POST', `/webhooks/${webhook.id}/test`, {})).status).toBe(200);
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

    it('are shown as failing after one day without a success, stay enabled, and recover', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      receiver.answer(path, (_, response) => void response.writeHead(500).end());
      const webhook = await createWebhook(client, path);
      await client.callOk('POST', '/members', {});
      await waitForDeliveryAttempts(client, webhook.id, 1);
      const failingSince = new Date(bridge().now).toISOString();
      expect(await client.callOk('GET', `/webhooks/${webhook.id}`)).toMatchObject({ failing_since: null });
      bridge().advanceSeconds(86_400);
      const again = await bridge().client(client.organizationId, client.applicationId, 'full_read_write');
      const shown = () => again.callOk('GET', `/webhooks/${webhook.id}`);
      await expect.poll(shown).toMatchObject({ failing_since: failingSince, is_enabled: true });
      const edits = async () => (await again.get(`/events?object.webhook_id=${webhook.id}&verb=edit`)).body.data;
      expect(await edits()).toMatchObject([{ object: { webhook_id: webhook.id }, subject: {}, reason: 'failing' }]);
      receiver.answer(path, null);
      await again.callOk('POST', '/members', {});
      await expect.poll(shown).toMatchObject({ failing_since: null, is_enabled: true });
      expect(await edits()).toMatchObject([{ reason: 'recovered' }, { reason: 'failing' }]);
    });

    it('pause an unreachable receiver as a whole, and resume with the oldest event', async () => {
      const client = await bridge().newOrganization();
      const down = await WebhookTestServer.open();
      const { url } = down;
      await down.close();
      const webhook = await client.callOk('POST', '/webhooks', { url: `${url}/down`, filter: members });
      await client.callOk('POST', '/members', {});
      await waitForDeliveryAttempts(client, webhook.id, 1);
      for (let count = 0; count < 3; count++) await client.callOk('POST', '/members', {});
      const attempts = async () =>
        (await client.callOk('GET', `/webhooks/${webhook.id}/deliveries?sort=created_at:asc`)).data.map(
          one => one['attempts'],
        );
      bridge().advanceSeconds(3.7);
      await expect.poll(attempts, { interval: 10 }).toEqual([2, 0, 0, 0]);
      const up = await WebhookTestServer.open(Number(new URL(url).port));
      bridge().advanceSeconds(7.3);
      const received = await up.received('/down', 4);
      await expectDeliveries(
        client,
        webhook.id,
        Array.from({ length: 4 }, () => 'delivered'),
      );
      const events = (await client.get('/events?object.type=member&sort=recorded_at:asc')).body.data;
      expect(received.map(({ event }) => event.id)).toEqual(events.map(({ id }) => id));
      await up.close();
    });

    it('pause a receiver that answers 5xx for several events', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      receiver.answer(path, (_, response) => void response.writeHead(502).end());
      const webhook = await createWebhook(client, path);
      for (let count = 0; count < 10; count++) await client.callOk('POST', '/members', {});
      await receiver.received(path, 3);
      const { writer } = bridge().services.storage;
      const resumeAt = async () =>
        (await writer.selectFrom('webhook_lanes').selectAll().where('webhook_id', '=', webhook.id).execute())[0]
          ?.resume_at;
      await expect.poll(resumeAt, { interval: 10 }).toBeGreaterThan(bridge().now);
      expect(receiver.at(path)).toHaveLength(3);
      receiver.answer(path, null);
      bridge().advanceSeconds(4);
      await expectDeliveries(
        client,
        webhook.id,
        Array.from({ length: 10 }, () => 'delivered'),
      );
    });

    it('resume at once when the URL changes', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      receiver.answer(path, (_, response) => void response.writeHead(429, { 'retry-after': '3000' }).end());
      const webhook = await createWebhook(client, path);
      await client.callOk('POST', '/members', {});
      await waitForDeliveryAttempts(client, webhook.id, 1);
      await client.callOk('POST', '/members', {});
      await client.callOk('PATCH', `/webhooks/${webhook.id}`, { url: `${receiver.url}${path}-moved` });
      await receiver.received(`${path}-moved`, 1);
      await expectDeliveries(client, webhook.id, ['delivered', 'pending']);
    });

    it('send an event without expands when it exceeds the answer budget, with a note', async () => {
      const client = await bridge().newOrganization();
      const path = newPath();
      const chain = Array.from({ length: 6 }, () => 'group_associations.member').join('.');
      const webhook = await createWebhook(client, path, {
        expand: [`object_member.${chain}`],
        filter: [{ object_type: 'member', verb: 'edit' }],
      });
      const member = await client.callOk('POST', '/members', {});
      for (let count = 0; count < 8; count++) {
        const group = await client.callOk('POST', '/member_groups', { name: `Group ${count}` });
        await client.callOk('POST', `/members/${member.id}/group_associations`, { member_group_id: group.id });
      }
      await client.callOk('PATCH', `/members/${member.id}`, { name: 'edited' });
      const [delivered] = await receiver.received(path, 1);
      expect(delivered?.event).toEqual(await client.callOk('GET', `/events/${delivered?.event.id}`));
      await expectDeliveries(client, webhook.id, ['delivered']);
      const [delivery] = await listWebhookDeliveries(client, webhook.id);
      expect(delivery).toMatchObject({ note: expect.stringContaining('without expands') });
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
  ['slow'],
);
