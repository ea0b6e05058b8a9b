import { DAY_MS } from '@lintel/access-core/durations';
import { instant } from '@lintel/access-core/instant';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logEvents, openTaskLease, runRetention as runRetentionTask } from '@lintel/cloud-bridge/testing';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { EventStreamClient } from '../../support/bridge/event-stream-client.ts';
import { waitForTask } from '../../support/bridge/wait-for-startup-task.ts';
import { type TestOrganizationClient, TestBridge } from '../../support/bridge/test-bridge.ts';
import { expectDeliveries, listWebhookDeliveries } from '../../support/bridge/webhook-deliveries.ts';
import { WebhookTestServer } from '../../support/bridge/webhook-test-server.ts';

let receiver: WebhookTestServer;
beforeAll(async () => {
  receiver = await WebhookTestServer.open();
});
afterAll(() => receiver.close());

/** Numbers of removed rows by `table organization`. */
const runRetention = async ({ services }: TestBridge): Promise<Readonly<Record<string, number>>> => {
  const { removed } = await runRetentionTask(services);
  return Object.fromEntries(removed.map(({ table, organizationId, rows }) => [`${table} ${organizationId}`, rows]));
};

/** Performs the work on a later day, and returns to the present. */
const later = async <T>(bridge: TestBridge, days: number, work: () => Promise<T>): Promise<T> => {
  const { now } = bridge;
  bridge.now = instant(now + days * DAY_MS + 1);
  try {
    return await work();
  } finally {
    bridge.now = now;
  }
};

const keepEvents = async (bridge: TestBridge, { organizationId }: TestOrganizationClient, event_days: number) => {
  const owner = await openAdminSession(bridge, organizationId, 'owner');
  await owner.callOk('PATCH', '/retention', { event_days });
  return owner;
};

const createMembers = async (client: TestOrganizationClient, count: number): Promise<void> => {
  for (let index = 0; index < count; index++) await client.callOk('POST', '/members', { name: `Guest ${index}` });
};

/** Events are deleted 200 at a time. */
const MORE_THAN_TWO_BATCHES = 401;

const options = {
  webhookAllow: ['127.0.0.0/8'],
  webhookSweepMs: 50,
  retention: { events: 400, deliveries: 30 },
};

describeOnBothDatabases(
  'retention',
  bridge => {
    beforeAll(() => waitForTask(bridge(), 'retention'));

    it('keeps the events of other organizations, and pages continue after deleted ones', async () => {
      const [short, long] = [await bridge().newOrganization(), await bridge().newOrganization()];
      await createMembers(short, 4);
      await createMembers(long, 1);
      await keepEvents(bridge(), short, 90);
      const descending = await short.callOk('GET', '/events?limit=2&sort=recorded_at:desc');
      const ascending = await short.callOk('GET', '/events?limit=2&sort=recorded_at:asc');
      const removed = await later(bridge(), 90, () => runRetention(bridge()));
      expect(removed[`events ${short.organizationId}`]).toBe(5);
      expect(removed[`events ${long.organizationId}`]).toBeUndefined();
      expect((await short.callOk('GET', '/events')).data).toEqual([]);
      expect((await long.callOk('GET', '/events')).data).toHaveLength(1);
      for (const [sort, { cursor_next }] of [
        ['recorded_at:desc', descending],
        ['recorded_at:asc', ascending],
      ] as const)
        expect(await short.callOk('GET', `/events?limit=2&sort=${sort}&cursor=${cursor_next}`)).toEqual({
          data: [],
          has_next: false,
        });
      expect((await short.get(`/events/${descending.data[0]!.id}`)).status).toBe(404);
      await createMembers(short, 1);
      const next = `/events?limit=2&sort=recorded_at:asc&cursor=${ascending.cursor_next}`;
      expect((await short.callOk('GET', next)).data).toMatchObject([{ verb: 'create', object: { type: 'member' } }]);
      expect((await short.callOk('GET', '/members?limit=100')).data).toHaveLength(5);
    });

    it('deletes events to the hour under the retention of the installation', async () => {
      const client = await bridge().newOrganization();
      await createMembers(client, 2);
      await later(bridge(), 400 - 1 / 24, () => runRetention(bridge()));
      expect((await client.callOk('GET', '/events')).data).toHaveLength(2);
      const removed = await later(bridge(), 400, () => runRetention(bridge()));
      expect(removed[`events ${client.organizationId}`]).toBe(2);
      expect((await client.callOk('GET', '/events')).data).toEqual([]);
    });

    it('deletes in small batches with pauses between them', async () => {
      const client = await bridge().newOrganization();
      const { services } = bridge();
      const events = Array.from({ length: MORE_THAN_TWO_BATCHES }, () => ({
        verb: 'edit' as const,
        object: { type: 'member', member_id: services.newId('member') },
      }));
      await logEvents(services, client.organizationId, events);
      await keepEvents(bridge(), client, 1);
      const { removed, pauses } = await later(bridge(), 1, () => runRetentionTask(services));
      const rows = MORE_THAN_TWO_BATCHES + 1;
      expect(removed).toContainEqual({ table: 'events', organizationId: client.organizationId, rows });
      expect(pauses).toBeGreaterThanOrEqual(2);
    });

    it('keeps events until their deliveries have ended, and delivery logs for their own time', async () => {
      const client = await bridge().newOrganization();
      const path = `/kept-${bridge().services.storage.engine}`;
      const create = (is_enabled: boolean, suffix: string) =>
        client.callOk('POST', '/webhooks', {
          url: receiver.url + path + suffix,
          filter: [{ object_type: 'member' }],
          is_enabled,
        });
      const webhook = await create(true, '');
      await createMembers(client, 1);
      await expectDeliveries(client, webhook.id, ['delivered']);
      const [delivered] = await listWebhookDeliveries(client, webhook.id);
      const waiting = await create(true, '-waiting');
      await bridge()
        .services.storage.writer.insertInto('webhook_lanes')
        .values({
          webhook_id: waiting.id,
          lease_owner: 'elsewhere/1/x',
          lease_until: bridge().now + 1000 * DAY_MS,
          failing_since: null,
          failed_deliveries: '[]',
          backoffs: 0,
          resume_at: 0,
        })
        .execute();
      await createMembers(client, 1);
      await expectDeliveries(client, webhook.id, ['delivered', 'delivered']);
      await keepEvents(bridge(), client, 1);
      await later(bridge(), 1, () => runRetention(bridge()));
      const kept = (await client.callOk('GET', '/events')).data;
      const pending = await listWebhookDeliveries(client, waiting.id);
      expect(pending).toMatchObject([{ status: 'pending' }]);
      expect(kept.map(({ id }) => id)).toEqual([pending[0]!['event_id']]);
      const redeliver = await client.call('POST', `/webhooks/${webhook.id}/deliveries/${delivered!.id}/redeliver`, {});
      expect(redeliver).toMatchObject({ status: 400, body: { args: { field: 'event_id' } } });
      await later(bridge(), 29, () => runRetention(bridge()));
      await expectDeliveries(client, webhook.id, ['delivered', 'delivered']);
      await later(bridge(), 30, () => runRetention(bridge()));
      await expectDeliveries(client, webhook.id, []);
      await expectDeliveries(client, waiting.id, ['pending']);
      await bridge()
        .services.storage.writer.updateTable('webhook_lanes')
        .set({ lease_until: 0 })
        .where('webhook_id', '=', waiting.id)
        .execute();
      await receiver.received(`${path}-waiting`, 1);
    });

    it('refuses to continue a stream after an event that is no longer kept', async () => {
      const client = await bridge().newOrganization();
      await createMembers(client, 1);
      const [event] = (await client.callOk('GET', '/events')).data;
      await keepEvents(bridge(), client, 1);
      await later(bridge(), 1, () => runRetention(bridge()));
      await bridge().listen('127.0.0.1', 0);
      const stream = await EventStreamClient.open(bridge(), `?since=${event!.id}`, null);
      stream.send(client.token);
      expect(await stream.closed).toMatchObject({ code: 4400 });
      expect(stream.messages).toMatchObject([
        { type: 'error', error: { message: expect.stringContaining('no longer kept'), args: { field: 'since' } } },
      ]);
    });

    it('runs in one of several bridges', async () => {
      const client = await bridge().newOrganization();
      await createMembers(client, 1);
      await keepEvents(bridge(), client, 1);
      await later(bridge(), 1, async () => {
        const other = openTaskLease(bridge().services, 'retention');
        expect(await other.acquire()).toBe(true);
        expect(await runRetention(bridge())).toEqual({});
        bridge().advanceSeconds(61);
        expect((await runRetention(bridge()))[`events ${client.organizationId}`]).toBe(2);
        expect(await other.acquire()).toBe(true);
        await other.release();
      });
    });

    it('is set by the owner within the limit of the operator, and logged', async () => {
      const { organizationId } = await bridge().newOrganization();
      const owner = await openAdminSession(bridge(), organizationId, 'owner');
      const administrator = await openAdminSession(bridge(), organizationId, 'administrator');
      expect(await owner.callOk('GET', '/retention')).toEqual({
        event_days: null,
        delivery_days: null,
        event_limit_days: 400,
        delivery_limit_days: 30,
        effective_event_days: 400,
        effective_delivery_days: 30,
      });
      expect(await owner.call('PATCH', '/retention', { event_days: 401 })).toMatchObject({
        status: 400,
        body: { args: { field: 'event_days', limit: '400' } },
      });
      expect(await owner.callOk('PATCH', '/retention', { event_days: 90, delivery_days: 7 })).toMatchObject({
        effective_event_days: 90,
        effective_delivery_days: 7,
      });
      expect((await administrator.call('PATCH', '/retention', { event_days: null })).status).toBe(403);
      expect((await owner.callOk('GET', '/events?subject.type=user')).data).toMatchObject([
        {
          verb: 'edit',
          subject: { user_id: owner.userId },
          object: { type: 'organization' },
          details: { event_days: '90', delivery_days: '7' },
        },
      ]);
      expect(await owner.callOk('PATCH', '/retention', { event_days: null })).toMatchObject({
        event_days: null,
        effective_event_days: 400,
      });
    });
  },
  options,
);

describe('the retention task', () => {
  it('counts what it deletes in a metric', async () => {
    const bridge = await TestBridge.open({ retentionMs: 5, metricsToken: 'a-token-for-metrics' });
    try {
      const client = await bridge.newOrganization();
      await createMembers(client, 3);
      await keepEvents(bridge, client, 1);
      bridge.advanceSeconds(86_401);
      const headers = { authorization: 'Bearer a-token-for-metrics' };
      await expect
        .poll(async () => (await bridge.app.inject({ url: '/metrics', headers })).body, { interval: 10 })
        .toContain('lintel_retention_removed_rows_total{table="events"} 4');
    } finally {
      await bridge.close();
    }
  });
});
