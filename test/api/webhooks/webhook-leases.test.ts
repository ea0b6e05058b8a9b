import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestBridge, type TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { newTestDatabase } from '../../support/bridge/postgres.ts';
import { WebhookTestServer } from '../../support/bridge/webhook-test-server.ts';
import { iterations } from '../../support/test-iterations-and-seed.ts';

const options = { webhookAllow: ['127.0.0.0/8'], webhookSweepMs: 50 };

let receiver: WebhookTestServer;
beforeAll(async () => {
  receiver = await WebhookTestServer.open();
});
afterAll(() => receiver.close());

const createWebhook = (client: TestOrganizationClient, path: string) =>
  client.callOk('POST', '/webhooks', { url: receiver.url + path, filter: [{ object_type: 'member' }] });

const membersAt = (path: string): string[] =>
  receiver.at(path).map(({ event }) => (event['object'] as { member_id: string }).member_id);

describeOnBothDatabases(
  'webhook delivery lease',
  bridge => {
    it('blocks other bridges until it expires', async () => {
      const client = await bridge().newOrganization();
      const { storage } = bridge().services;
      const path = `/lease-${storage.engine}`;
      const webhook = await createWebhook(client, path);
      await storage.writer
        .insertInto('webhook_lanes')
        .values({
          webhook_id: webhook.id,
          lease_owner: 'elsewhere/1/x',
          lease_until: bridge().now + 5000,
          failing_since: null,
          failed_deliveries: '[]',
          backoffs: 0,
          resume_at: 0,
        })
        .execute();
      const other = await createWebhook(client, `${path}-free`);
      await client.callOk('POST', '/members', {});
      await receiver.received(`${path}-free`, 1);
      await expect
        .poll(async () => (await client.callOk('GET', `/webhooks/${other.id}/deliveries`)).data[0])
        .toMatchObject({ status: 'delivered' });
      expect(receiver.at(path)).toEqual([]);
      bridge().advanceSeconds(6);
      await receiver.received(path, 1);
    });
  },
  options,
);

describe('webhooks of two bridges on one database', () => {
  it('deliver each event once and in order', async () => {
    const database = await newTestDatabase();
    const first = await TestBridge.open({ ...options, database });
    const second = await TestBridge.open({ ...options, database, dataDir: first.dataDir });
    const client = await first.newOrganization();
    const twin = await second.client(client.organizationId, client.applicationId, 'full_read_write');
    const rounds = iterations({ sample: 20, all: 100 });
    const paths = ['/twins-1', '/twins-2', '/twins-3'];
    for (const path of paths) await createWebhook(client, path);
    await Promise.all(
      [client, twin].map(async one => {
        for (let count = 0; count < rounds; count++) await one.callOk('POST', '/members', {});
      }),
    );
    const log = await first.bridge.services.storage.reader
      .selectFrom('events')
      .select('object_member_id')
      .where('organization_id', '=', client.organizationId)
      .where('object_type', '=', 'member')
      .orderBy('recorded_at')
      .execute();
    for (const path of paths) {
      await receiver.received(path, 2 * rounds);
      expect(membersAt(path)).toEqual(log.map(({ object_member_id }) => object_member_id));
    }
    await second.bridge.close();
    await client.callOk('POST', '/members', {});
    for (const path of paths) await receiver.received(path, 2 * rounds + 1);
    await first.close();
  });

  it('continue pending deliveries of a stopped bridge', async () => {
    const database = await newTestDatabase();
    const first = await TestBridge.open({ ...options, database });
    const client = await first.newOrganization();
    const path = '/taken-up';
    receiver.answer(path, (_, response) => void response.writeHead(500).end());
    const webhook = await createWebhook(client, path);
    await client.callOk('POST', '/members', {});
    await expect
      .poll(async () => (await client.callOk('GET', `/webhooks/${webhook.id}/deliveries`)).data[0])
      .toMatchObject({ attempts: 1 });
    await first.bridge.close();
    receiver.answer(path, null);
    const second = await TestBridge.open({ ...options, database, dataDir: first.dataDir });
    second.advanceSeconds(10);
    await receiver.received(path, 2);
    await second.close();
  });
});
