import { beforeEach, describe, expect, it } from 'vitest';
import { TEST_START_TIME } from '../testing/sqlite-template.ts';
import {
  acquireWebhookQueueLeases,
  releaseDeadWebhookQueueLeases,
  WEBHOOK_QUEUE_LEASE_MS,
  renewWebhookQueueLeases,
} from './queue-leases.ts';
import { useTestWebhookQueues } from './webhook-queue.test-support.ts';

const { test, addWebhook, addDelivery } = useTestWebhookQueues();

describe('acquireWebhookQueueLeases', () => {
  const acquire = (owner: string, now: number, webhookIds: readonly string[] | null = null, limit = 100) =>
    acquireWebhookQueueLeases(test.database.services.storage, { owner, now, webhookIds, limit });
  const leaseOf = (webhookId: string) =>
    test.database.services.storage.writer
      .selectFrom('webhook_lanes')
      .select(['lease_owner', 'lease_until'])
      .where('webhook_id', '=', webhookId)
      .executeTakeFirstOrThrow();

  // Queues of other tests would be leased too.
  beforeEach(async () => {
    await test.database.services.storage.writer.deleteFrom('webhook_lanes').execute();
  });

  it('leases a queue to one owner until the lease expires', async () => {
    const webhook = await addWebhook();
    await addDelivery(webhook, 1);
    expect(await acquire('a', TEST_START_TIME)).toEqual([webhook]);
    expect(await acquire('b', TEST_START_TIME + WEBHOOK_QUEUE_LEASE_MS - 1)).toEqual([]);
    expect(await acquire('b', TEST_START_TIME + WEBHOOK_QUEUE_LEASE_MS)).toEqual([webhook]);
  });

  it('leases a queue only while a delivery is due', async () => {
    const webhook = await addWebhook();
    await addDelivery(webhook, 1, { next_attempt_at: TEST_START_TIME + 200 });
    await addDelivery(webhook, 2, { next_attempt_at: TEST_START_TIME + 100 });
    expect(await acquire('a', TEST_START_TIME + 99)).toEqual([]);
    expect(await acquire('a', TEST_START_TIME + 100)).toEqual([webhook]);
  });

  it('does not lease a queue before the pause of its receiver ends', async () => {
    const webhook = await addWebhook({}, { failing_since: 0, backoffs: 1, resume_at: TEST_START_TIME + 100 });
    await addDelivery(webhook, 1);
    expect(await acquire('a', TEST_START_TIME + 99)).toEqual([]);
    expect(await acquire('a', TEST_START_TIME + 100)).toEqual([webhook]);
  });

  it('skips disabled webhooks but leases deleted ones, to fail their deliveries', async () => {
    const disabled = await addWebhook({ is_enabled: 0 });
    const deleted = await addWebhook({ is_enabled: 0, is_deleted: 1 });
    for (const webhook of [disabled, deleted]) await addDelivery(webhook, 1);
    expect(await acquire('a', TEST_START_TIME)).toEqual([deleted]);
  });

  it('skips a queue without a pending delivery', async () => {
    const webhook = await addWebhook();
    await addDelivery(webhook, 1, { status: 'delivered' });
    expect(await acquire('a', TEST_START_TIME)).toEqual([]);
  });

  it('leases only the requested webhooks, up to the limit', async () => {
    const webhooks = [await addWebhook(), await addWebhook(), await addWebhook()];
    for (const webhook of webhooks) await addDelivery(webhook, 1);
    expect(await acquire('a', TEST_START_TIME, [webhooks[1]!])).toEqual([webhooks[1]]);
    expect(await acquire('a', TEST_START_TIME, null, 1)).toHaveLength(1);
  });

  it('renews only the leases of the owner', async () => {
    const [mine, other] = [await addWebhook(), await addWebhook()];
    for (const webhook of [mine, other]) await addDelivery(webhook, 1);
    await acquire('a', TEST_START_TIME, [mine]);
    await acquire('b', TEST_START_TIME, [other]);
    await renewWebhookQueueLeases(test.database.services.storage.writer, 'a', TEST_START_TIME + 1000);
    expect((await leaseOf(mine)).lease_until).toBe(TEST_START_TIME + 1000 + WEBHOOK_QUEUE_LEASE_MS);
    expect((await leaseOf(other)).lease_until).toBe(TEST_START_TIME + WEBHOOK_QUEUE_LEASE_MS);
  });

  it('releases the leases of dead owners only', async () => {
    const [dead, alive] = [await addWebhook(), await addWebhook()];
    for (const webhook of [dead, alive]) await addDelivery(webhook, 1);
    await acquire('dead', TEST_START_TIME, [dead]);
    await acquire('alive', TEST_START_TIME, [alive]);
    await releaseDeadWebhookQueueLeases(test.database.services.storage, owner => owner === 'dead');
    expect(await leaseOf(dead)).toEqual({ lease_owner: null, lease_until: 0 });
    expect((await leaseOf(alive)).lease_owner).toBe('alive');
  });
});
