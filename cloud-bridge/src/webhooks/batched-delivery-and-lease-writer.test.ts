import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type WebhookDeliveryUpdate, WebhookDeliveryRecorder } from './batched-delivery-and-lease-writer.ts';
import { useTestOutbox } from './outbox.test-support.ts';
import { healthyWebhookReceiver, toWebhookHealthColumns } from './receiver-health.ts';

const { test, addWebhook, log, deliveriesOf } = useTestOutbox();

describe('WebhookDeliveryRecorder', () => {
  const updateFor = (id: string, change: Partial<WebhookDeliveryUpdate> = {}): WebhookDeliveryUpdate => ({
    id,
    status: 'delivered',
    attempts: 1,
    request_url: 'https://example.com',
    response_status: 200,
    response_body: null,
    error: null,
    duration_ms: 3,
    last_attempt_at: 5,
    next_attempt_at: null,
    tried_since: 5,
    body: null,
    note: null,
    awaits_receiver: 0,
    ...change,
  });
  const queueOf = (webhookId: string) =>
    test.database.services.storage.writer
      .selectFrom('webhook_lanes')
      .selectAll()
      .where('webhook_id', '=', webhookId)
      .executeTakeFirstOrThrow();
  const recorderOf = (owner: string, onError: (error: unknown) => void = () => undefined) => {
    const { storage, clock } = test.database.services;
    return new WebhookDeliveryRecorder({ storage, owner, clock, onError });
  };
  const lease = (webhookId: string, owner: string) =>
    sql`update webhook_lanes set lease_owner = ${owner}, lease_until = 99 where webhook_id = ${webhookId}`.execute(
      test.database.services.storage.writer,
    );

  it('writes everything recorded before flush() resolves', async () => {
    const webhook = await addWebhook();
    await log(['create', 'edit']);
    const [first, second] = await deliveriesOf(webhook);
    const recorder = recorderOf('me');
    recorder.record(updateFor(first!.id));
    recorder.record(updateFor(second!.id, { status: 'pending', attempts: 4, next_attempt_at: 77 }));
    await recorder.flush();
    expect(await deliveriesOf(webhook)).toMatchObject([
      { status: 'delivered', attempts: 1, next_attempt_at: null },
      { status: 'pending', attempts: 4, next_attempt_at: 77 },
    ]);
  });

  it('releases and updates only the queues of its owner', async () => {
    const [mine, other] = [await addWebhook(), await addWebhook()];
    await log(['create']);
    await lease(mine, 'me');
    await lease(other, 'another owner');
    const recorder = recorderOf('me');
    const health = { failingSince: 42, failedDeliveries: ['whd_1'], backoffs: 2, resumeAt: 77 };
    for (const id of [mine, other]) {
      recorder.updateHealth(id, toWebhookHealthColumns(health));
      recorder.releaseLease(id);
    }
    await recorder.flush();
    expect(await queueOf(mine)).toMatchObject({ lease_owner: null, lease_until: 0, ...toWebhookHealthColumns(health) });
    expect(await queueOf(other)).toMatchObject({
      lease_owner: 'another owner',
      lease_until: 99,
      ...toWebhookHealthColumns(healthyWebhookReceiver),
    });
  });

  it('reports until when the renewed leases are valid', async () => {
    const webhook = await addWebhook();
    await log(['create']);
    await lease(webhook, 'me');
    const recorder = recorderOf('me');
    recorder.renewLeases();
    await recorder.flush();
    expect(recorder.renewedUntil).toBe((await queueOf(webhook)).lease_until);
    expect(recorder.renewedUntil).toBeGreaterThan(test.database.clock.now);
  });
});
