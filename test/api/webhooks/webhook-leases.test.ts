import { instant } from '@lintel/access-core/instant';
import { forgetOldDeliveries } from '@lintel/cloud-bridge/webhooks/delivery-retention';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BridgeWorld, type OrganizationClient } from '../../support/bridge/bridge-world.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';
import { newTestDatabase } from '../../support/bridge/postgres.ts';
import { recorded } from '../../support/bridge/webhook-log.ts';
import { WebhookReceiver } from '../../support/bridge/webhook-receiver.ts';

const options = { webhookAllow: ['127.0.0.0/8'], webhookSweepMs: 50 };

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.open();
});
afterAll(() => receiver.close());

const aWebhook = (client: OrganizationClient, path: string) =>
  client.done('POST', '/webhooks', { url: receiver.url + path, filter: [{ object_type: 'member' }] });

const membersAt = (path: string): string[] =>
  receiver.at(path).map(({ event }) => (event['object'] as { member_id: string }).member_id);

onBothEngines(
  'a lane of a webhook',
  world => {
    it('is left alone while another bridge holds its lease, and taken up when the lease has run out', async () => {
      const client = await world().newOrganization();
      const { storage } = world().bridge.services;
      const path = `/lease-${storage.engine}`;
      const webhook = await aWebhook(client, path);
      await storage.writer
        .insertInto('webhook_lanes')
        .values({
          webhook_id: webhook.id,
          lease_owner: 'elsewhere/1/x',
          lease_until: world().now + 5000,
          failing_since: null,
        })
        .execute();
      const other = await aWebhook(client, `${path}-free`);
      await client.done('POST', '/members', {});
      await receiver.received(`${path}-free`, 1);
      await expect
        .poll(async () => (await client.done('GET', `/webhooks/${other.id}/deliveries`)).data[0])
        .toMatchObject({ status: 'delivered' });
      expect(receiver.at(path)).toEqual([]);
      world().passSeconds(6);
      await receiver.received(path, 1);
    });

    it('has a log that forgets what is finished after 30 days', async () => {
      const client = await world().newOrganization();
      const { storage } = world().bridge.services;
      const path = `/old-${storage.engine}`;
      const webhook = await aWebhook(client, path);
      await client.done('POST', '/members', {});
      await recorded(client, webhook.id, ['delivered']);
      await forgetOldDeliveries(storage, instant(world().now + 30 * 86_400_000));
      await recorded(client, webhook.id, ['delivered']);
      await forgetOldDeliveries(storage, instant(world().now + 30 * 86_400_000 + 1));
      await recorded(client, webhook.id, []);
    });
  },
  options,
);

describe('two bridges on one database', () => {
  it('deliver each event once and in order, whichever of them wrote it', async () => {
    const database = await newTestDatabase();
    const first = await BridgeWorld.open({ ...options, database });
    const second = await BridgeWorld.open({ ...options, database, dataDir: first.dataDir });
    const client = await first.newOrganization();
    const twin = await second.client(client.organizationId, client.applicationId, 'full_read_write');
    const paths = ['/twins-1', '/twins-2', '/twins-3'];
    for (const path of paths) await aWebhook(client, path);
    await Promise.all(
      [client, twin].map(async one => {
        for (let count = 0; count < 100; count++) await one.done('POST', '/members', {});
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
      await receiver.received(path, 200);
      expect(membersAt(path)).toEqual(log.map(({ object_member_id }) => object_member_id));
    }
    await second.bridge.close();
    await client.done('POST', '/members', {});
    for (const path of paths) await receiver.received(path, 201);
    await first.close();
  });

  it('take up what was pending when the other one stopped', async () => {
    const database = await newTestDatabase();
    const first = await BridgeWorld.open({ ...options, database });
    const client = await first.newOrganization();
    const path = '/taken-up';
    receiver.answer(path, (_, response) => void response.writeHead(500).end());
    const webhook = await aWebhook(client, path);
    await client.done('POST', '/members', {});
    await expect
      .poll(async () => (await client.done('GET', `/webhooks/${webhook.id}/deliveries`)).data[0])
      .toMatchObject({ attempts: 1 });
    await first.bridge.close();
    receiver.answer(path, null);
    const second = await BridgeWorld.open({ ...options, database, dataDir: first.dataDir });
    second.passSeconds(10);
    await receiver.received(path, 2);
    await second.close();
  });
});
