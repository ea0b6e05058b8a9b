import { DAY_MS } from '@lintel/access-core/durations';
import { beforeEach, describe, expect, it } from 'vitest';
import { TEST_START_TIME } from '../testing/sqlite-template.ts';
import type { WebhookDeliveryUpdate } from './batched-delivery-and-lease-writer.ts';
import { WebhookQueueWorker, type WebhookQueueWorkerDependencies } from './queue-worker.ts';
import { WEBHOOK_RETRY_WINDOW_MS } from './retry-policy.ts';
import type { WebhookPostResult } from './webhook-client.ts';
import { useTestWebhookQueues } from './webhook-queue.test-support.ts';

const { test, addWebhook, addDelivery } = useTestWebhookQueues();

describe('WebhookQueueWorker', () => {
  const success: WebhookPostResult = {
    responseStatus: 204,
    responseBody: null,
    error: null,
    durationMs: 1,
    retryAfterMs: null,
    isUnreachable: false,
  };
  const failure: WebhookPostResult = { ...success, responseStatus: 500, error: 'the receiver answered 500' };
  const rejection: WebhookPostResult = { ...success, responseStatus: 400, error: 'the receiver answered 400' };
  const unreachable: WebhookPostResult = { ...success, responseStatus: null, error: 'refused', isUnreachable: true };

  /** Sends to a receiver that responds from a list, and closes the worker when the list is empty. */
  class ScriptedWorker {
    readonly sent: string[] = [];
    readonly updates: WebhookDeliveryUpdate[] = [];
    readonly health: object[] = [];
    readonly released: string[] = [];
    readonly reported: (number | null)[] = [];
    readonly missing = new Set<string>();
    readonly stop = new AbortController();
    leasedUntil = Number.POSITIVE_INFINITY;
    maxConcurrent = 0;
    #pending = 0;

    run(webhookId: string, responses: readonly WebhookPostResult[]) {
      const remaining = [...responses];
      const { missing } = this;
      const worker = new WebhookQueueWorker(
        {
          storage: test.database.services.storage,
          client: {
            post: async ({ body }: { body: string }) => {
              this.#pending += 1;
              this.maxConcurrent = Math.max(this.maxConcurrent, this.#pending);
              this.sent.push(body);
              await Promise.resolve();
              this.#pending -= 1;
              if (remaining.length === 1) worker.close();
              return remaining.shift()!;
            },
          },
          payloads: {
            buildBodies: async function* (_: unknown, eventIds: readonly string[]) {
              for (const id of eventIds) yield missing.has(id) ? null : { text: `body of ${id}`, note: null };
            },
          },
          recorder: {
            renewedUntil: Number.NEGATIVE_INFINITY,
            record: (update: WebhookDeliveryUpdate) => this.updates.push(update),
            updateHealth: (_: string, columns: object) => this.health.push(columns),
            releaseLease: (id: string) => this.released.push(id),
            flush: async () => undefined,
          },
          clock: () => test.database.clock.now,
          random: () => 0.5,
          secretOf: () => 'secret',
          reportHealth: async (_: unknown, failingSince: number | null) => void this.reported.push(failingSince),
          stopping: this.stop.signal,
        } as unknown as WebhookQueueWorkerDependencies,
        webhookId,
        this.leasedUntil,
      );
      if (responses.length === 0) worker.close();
      return worker.run();
    }
  }
  let script: ScriptedWorker;
  beforeEach(() => {
    script = new ScriptedWorker();
  });

  it('delivers in the order of the events, one at a time', async () => {
    const webhook = await addWebhook();
    for (const position of [30, 10, 20]) await addDelivery(webhook, position);
    await script.run(webhook, [success, success, success]);
    expect(script.sent).toEqual(['body of event 10', 'body of event 20', 'body of event 30']);
    expect(script.updates.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(script.maxConcurrent).toBe(1);
  });

  it('continues with the next event when one fails, and releases the lease', async () => {
    const webhook = await addWebhook();
    for (const position of [1, 2, 3]) await addDelivery(webhook, position);
    await script.run(webhook, [success, failure, success]);
    expect(script.sent).toEqual(['body of event 1', 'body of event 2', 'body of event 3']);
    expect(script.updates.map(({ status }) => status)).toEqual(['delivered', 'pending', 'delivered']);
    expect(script.updates[1]).toMatchObject({ next_attempt_at: TEST_START_TIME + 3000, attempts: 1 });
    expect(script.released).toEqual([webhook]);
  });

  it('delivers later events while an earlier one waits for its retry', async () => {
    const webhook = await addWebhook();
    await addDelivery(webhook, 1, { attempts: 1, next_attempt_at: TEST_START_TIME + 500, body: 'first body' });
    await addDelivery(webhook, 2);
    await script.run(webhook, [success]);
    expect(script.sent).toEqual(['body of event 2']);
  });

  it('returns the time of the next retry when nothing is due', async () => {
    const webhook = await addWebhook();
    await addDelivery(webhook, 1, { attempts: 2, next_attempt_at: TEST_START_TIME + 900, body: 'a' });
    await addDelivery(webhook, 2, { attempts: 1, next_attempt_at: TEST_START_TIME + 500, body: 'b' });
    expect(await script.run(webhook, [success, success])).toEqual({ retryAt: TEST_START_TIME + 500 });
    expect(script.sent).toEqual([]);
  });

  it('backs off an unreachable receiver as a whole', async () => {
    const webhook = await addWebhook();
    const [, second] = [await addDelivery(webhook, 1), await addDelivery(webhook, 2)];
    expect(await script.run(webhook, [unreachable, success])).toEqual({ retryAt: TEST_START_TIME + 3000 });
    expect(script.sent).toEqual(['body of event 1']);
    expect(script.health.at(-1)).toMatchObject({ backoffs: 1, resume_at: TEST_START_TIME + 3000 });
    expect(await deliveryRow(second)).toMatchObject({ status: 'pending', attempts: 0, tried_since: TEST_START_TIME });
  });

  it('backs off a receiver that answers 5xx for three different events', async () => {
    const webhook = await addWebhook();
    for (const position of [1, 2, 3, 4]) await addDelivery(webhook, position);
    await script.run(webhook, [failure, failure, failure, success]);
    expect(script.sent).toHaveLength(3);
    expect(script.health.at(-1)).toMatchObject({ backoffs: 1, resume_at: TEST_START_TIME + 3000 });
  });

  it('does not back off a receiver that rejects events with 4xx', async () => {
    const webhook = await addWebhook();
    for (const position of [1, 2, 3, 4, 5]) await addDelivery(webhook, position);
    await script.run(webhook, [failure, failure, rejection, failure, rejection]);
    expect(script.sent).toHaveLength(5);
    expect(script.health.at(-1)).toMatchObject({ backoffs: 0, resume_at: 0 });
  });

  it('sends nothing before the pause of the receiver ends', async () => {
    const webhook = await addWebhook(
      {},
      { failing_since: TEST_START_TIME, backoffs: 1, resume_at: TEST_START_TIME + 700 },
    );
    await addDelivery(webhook, 1);
    expect(await script.run(webhook, [success, success])).toEqual({ retryAt: TEST_START_TIME + 700 });
    expect(script.sent).toEqual([]);
  });

  it('resumes with the oldest event, and makes the events due that found the receiver unreachable', async () => {
    const webhook = await addWebhook(
      {},
      { failing_since: TEST_START_TIME - 9, backoffs: 3, resume_at: TEST_START_TIME },
    );
    await addDelivery(webhook, 1, { attempts: 2, body: 'oldest' });
    const waiting = await addDelivery(webhook, 2, {
      attempts: 5,
      next_attempt_at: TEST_START_TIME + 60_000,
      awaits_receiver: 1,
      body: 'waiting',
    });
    const rejected = { attempts: 5, next_attempt_at: TEST_START_TIME + 60_000, body: 'rejected before' };
    const other = await addDelivery(webhook, 3, rejected);
    await script.run(webhook, [success]);
    expect(script.sent).toEqual(['oldest']);
    expect(script.health.at(-1)).toMatchObject({ failing_since: null, backoffs: 0, resume_at: 0 });
    expect(await deliveryRow(waiting)).toMatchObject({ next_attempt_at: TEST_START_TIME });
    expect(await deliveryRow(other)).toMatchObject({ next_attempt_at: TEST_START_TIME + 60_000 });
  });

  it('sends one event to a receiver that was backed off, and waits longer when it fails', async () => {
    const webhook = await addWebhook({}, { failing_since: TEST_START_TIME, backoffs: 2, resume_at: TEST_START_TIME });
    for (const position of [1, 2]) await addDelivery(webhook, position);
    expect(await script.run(webhook, [unreachable, success])).toEqual({ retryAt: TEST_START_TIME + 12_000 });
    expect(script.sent).toEqual(['body of event 1']);
  });

  it('tries an event that was never sent when older events keep failing with 5xx', async () => {
    const failed_deliveries = JSON.stringify(['whd_1', 'whd_2', 'whd_3']);
    const queue = { failing_since: TEST_START_TIME, failed_deliveries, backoffs: 2, resume_at: TEST_START_TIME };
    const webhook = await addWebhook({}, queue);
    await addDelivery(webhook, 1, { attempts: 4, body: 'fails' });
    await addDelivery(webhook, 2);
    await script.run(webhook, [success]);
    expect(script.sent).toEqual(['body of event 2']);
  });

  it('fails events that waited for an hour while the receiver failed', async () => {
    const webhook = await addWebhook({}, { failing_since: 0, backoffs: 9, resume_at: TEST_START_TIME });
    await addDelivery(webhook, 1);
    const old = await addDelivery(webhook, 2, { tried_since: TEST_START_TIME - WEBHOOK_RETRY_WINDOW_MS });
    const recent = await addDelivery(webhook, 3, { tried_since: TEST_START_TIME - WEBHOOK_RETRY_WINDOW_MS + 1 });
    await script.run(webhook, [unreachable]);
    expect(await deliveryRow(old)).toMatchObject({
      status: 'failed',
      error: 'the receiver failed for one hour: refused',
      next_attempt_at: null,
    });
    expect(await deliveryRow(recent)).toMatchObject({ status: 'pending' });
  });

  it('sends the same body again', async () => {
    const webhook = await addWebhook();
    await addDelivery(webhook, 1, { attempts: 1, body: 'first body' });
    await script.run(webhook, [success]);
    expect(script.sent).toEqual(['first body']);
  });

  it('fails an event after an hour and continues with the next', async () => {
    const webhook = await addWebhook();
    await addDelivery(webhook, 1, {
      attempts: 10,
      tried_since: TEST_START_TIME - WEBHOOK_RETRY_WINDOW_MS,
      body: 'old',
    });
    await addDelivery(webhook, 2);
    await script.run(webhook, [failure, success]);
    expect(script.updates.map(({ status }) => status)).toEqual(['failed', 'delivered']);
  });

  it('reports a receiver that has failed for a day', async () => {
    const webhook = await addWebhook({}, { failing_since: TEST_START_TIME - DAY_MS });
    await addDelivery(webhook, 1);
    await script.run(webhook, [failure]);
    expect(script.reported).toEqual([TEST_START_TIME - DAY_MS]);
    expect(script.updates).toMatchObject([{ status: 'pending' }]);
  });

  it('reports a receiver neither before it has failed for a day nor twice', async () => {
    const early = await addWebhook({}, { failing_since: TEST_START_TIME - DAY_MS + 1 });
    const known = await addWebhook({ failing_since: 1 }, { failing_since: 1 });
    for (const webhook of [early, known]) {
      await addDelivery(webhook, 1);
      await script.run(webhook, [failure]);
    }
    expect(script.reported).toEqual([]);
  });

  it('reports a recovery with the first success', async () => {
    const webhook = await addWebhook({ failing_since: 1 }, { failing_since: TEST_START_TIME - DAY_MS });
    await addDelivery(webhook, 1);
    await script.run(webhook, [success]);
    expect(script.reported).toEqual([null]);
    expect(script.health).toMatchObject([{ failing_since: null }]);
  });

  it('fails a delivery whose event was deleted without counting it as a failure of the receiver', async () => {
    const webhook = await addWebhook();
    await addDelivery(webhook, 1);
    await addDelivery(webhook, 2);
    script.missing.add('event 1');
    await script.run(webhook, [success]);
    expect(script.updates.map(({ status }) => status)).toEqual(['failed', 'delivered']);
    expect(script.health).toEqual([]);
  });

  it('sends nothing once its lease has run out', async () => {
    const webhook = await addWebhook();
    await addDelivery(webhook, 1);
    script.leasedUntil = TEST_START_TIME;
    expect(await script.run(webhook, [success, success])).toEqual({ retryAt: null });
    expect(script.sent).toEqual([]);
  });

  it('records nothing for an attempt that the shutdown of the bridge aborted', async () => {
    const webhook = await addWebhook();
    await addDelivery(webhook, 1);
    script.stop.abort();
    const result = await script.run(webhook, [failure]);
    expect([result, script.updates]).toEqual([{ retryAt: null }, []]);
  });

  it('leaves the deliveries of a disabled webhook pending', async () => {
    const webhook = await addWebhook({ is_enabled: 0 });
    const delivery = await addDelivery(webhook, 1);
    await script.run(webhook, [success]);
    expect(script.sent).toEqual([]);
    expect(await statusOf(delivery)).toBe('pending');
  });

  it('fails the pending deliveries of a deleted webhook', async () => {
    const webhook = await addWebhook({ is_deleted: 1 });
    const delivery = await addDelivery(webhook, 1, { body: 'kept' });
    await script.run(webhook, [success]);
    expect(script.sent).toEqual([]);
    expect(await statusOf(delivery)).toBe('failed');
  });

  const deliveryRow = (id: string) =>
    test.database.services.storage.writer
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const statusOf = async (id: string) => (await deliveryRow(id)).status;
});
