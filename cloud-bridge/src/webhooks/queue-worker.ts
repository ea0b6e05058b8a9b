import { performance } from 'node:perf_hooks';
import type { Storage } from '../storage/open-storage.ts';
import {
  eventDeletedDeliveryResult,
  toFailedDeliveryUpdate,
  toSuccessfulDeliveryUpdate,
  type WebhookDeliveryAttempt,
} from './delivery-columns-after-attempt.ts';
import type { WebhookDeliveryRecorder } from './batched-delivery-and-lease-writer.ts';
import {
  failPendingWebhookDeliveries,
  listDueWebhookDeliveries,
  findNextWebhookAttemptAt,
  listOldestUntriedWebhookDelivery,
  findWebhookReceiver,
  type PendingWebhookDelivery,
  type WebhookReceiver,
} from './pending-deliveries.ts';
import {
  type WebhookHealthUpdateResult,
  WebhookDeliveryBackoff,
  type WebhookDeliveryBackoffDependencies,
} from './pause-deliveries-to-failing-receiver.ts';
import type { WebhookClient } from './webhook-client.ts';
import type { WebhookRequestBody, WebhookPayloadBuilder } from './webhook-payload-builder.ts';

export interface WebhookQueueWorkerDependencies extends WebhookDeliveryBackoffDependencies {
  readonly storage: Storage;
  readonly client: WebhookClient;
  readonly payloads: WebhookPayloadBuilder;
  readonly recorder: WebhookDeliveryRecorder;
  readonly secretOf: (receiver: WebhookReceiver) => string;
  /** Aborted when the bridge stops. */
  readonly stopping: AbortSignal;
}

const BATCH = 100;
/** Keeps the lease of an empty queue for this long, so that the next event needs no new lease. */
const IDLE_MS = 300;
/** While another bridge commits changes, the webhook is read again this often. */
const REREAD_MS = 1000;
const QUEUE_START = -1;

/** `retryAt` is null when nothing is left to do, otherwise the time of the next attempt. */
export interface WebhookQueueRunResult {
  readonly retryAt: number | null;
}

const queueDone: WebhookQueueRunResult = { retryAt: null };

interface LoadedWebhook {
  readonly receiver: WebhookReceiver;
  readonly secret: string;
  readonly readAt: number;
}

/**
 * Delivers the due events of one webhook, oldest first and one at a time, while this bridge holds the lease of its queue.
 * An event that fails waits for its own retry and does not hold back the others, unless the receiver fails as a whole.
 */
export class WebhookQueueWorker {
  readonly #dependencies: WebhookQueueWorkerDependencies;
  readonly #webhookId: string;
  readonly #leasedUntil: number;
  readonly #monitor: WebhookDeliveryBackoff;
  #webhook: LoadedWebhook | null = null;
  /** Deliveries up to this position are not read again, because their results may not be recorded yet. */
  #position = QUEUE_START;
  /** Time of the first retry of an event that failed in this run. */
  #firstRetryAt = Infinity;
  #hasNewDeliveries = false;
  #hasChanged = false;
  #mayHaveChanged = false;
  #isClosing = false;
  #endIdle: (() => void) | undefined;

  constructor(dependencies: WebhookQueueWorkerDependencies, webhookId: string, leasedUntil: number) {
    this.#dependencies = dependencies;
    this.#webhookId = webhookId;
    this.#leasedUntil = leasedUntil;
    this.#monitor = new WebhookDeliveryBackoff(dependencies, webhookId);
  }

  get organizationId(): string | null {
    return this.#webhook?.receiver.organization_id ?? null;
  }

  /** True when deliveries or changes arrived that this run has not processed. */
  get hasMore(): boolean {
    return this.#hasNewDeliveries || this.#hasChanged;
  }

  /** Call when new deliveries may exist. */
  wake(): void {
    this.#hasNewDeliveries = true;
    this.#endIdle?.();
  }

  /** Call when another bridge may have added deliveries or changed the webhook. */
  recheck(): void {
    this.#mayHaveChanged = true;
    this.wake();
  }

  /** Call when the webhook or its deliveries have changed. */
  reload(): void {
    this.#hasChanged = true;
    this.#endIdle?.();
  }

  /** Finishes the current attempt and starts no more. */
  close(): void {
    this.#isClosing = true;
    this.#endIdle?.();
  }

  /** Delivers until nothing is due, then releases the lease. */
  async run(): Promise<WebhookQueueRunResult> {
    const { recorder } = this.#dependencies;
    try {
      return await this.#deliverUntilDone();
    } finally {
      recorder.releaseLease(this.#webhookId);
      await recorder.flush();
    }
  }

  async #deliverUntilDone(): Promise<WebhookQueueRunResult> {
    for (;;) {
      const webhook = await this.#loadWebhook();
      if (webhook === null || this.#mustStop()) return queueDone;
      if (this.#monitor.mustWait) return this.#untilNextAttempt();
      this.#hasNewDeliveries = false;
      const deliveries = await this.#findDeliveries();
      if (!(await this.#deliverAll(webhook, deliveries))) continue;
      this.#position = deliveries.at(-1)?.position ?? this.#position;
      if (deliveries.length < BATCH && !(await this.#waitForMore())) return this.#untilNextAttempt();
    }
  }

  /** Loads the webhook; null when it is disabled or deleted. */
  async #loadWebhook(): Promise<LoadedWebhook | null> {
    if (this.#webhook !== null && !this.#mustReread(this.#webhook)) return this.#webhook;
    const { storage, recorder, secretOf } = this.#dependencies;
    // Results must be recorded before the queue is read from its start.
    if (this.#webhook !== null) await recorder.flush();
    this.#hasChanged = false;
    this.#mayHaveChanged = false;
    this.#position = QUEUE_START;
    this.#firstRetryAt = Infinity;
    const receiver = await findWebhookReceiver(storage.rows, this.#webhookId);
    if (receiver === undefined) return null;
    this.#monitor.load(receiver);
    this.#webhook = { receiver, secret: secretOf(receiver), readAt: performance.now() };
    if (receiver.is_deleted === 1)
      await failPendingWebhookDeliveries(storage.writer, receiver.id, 'the webhook was deleted');
    return receiver.is_deleted === 1 || receiver.is_enabled === 0 ? null : this.#webhook;
  }

  #mustReread({ readAt }: LoadedWebhook): boolean {
    if (this.#hasChanged || this.#isRetryDue()) return true;
    return this.#mayHaveChanged && performance.now() - readAt >= REREAD_MS;
  }

  /** A receiver that was backed off gets a single event first. */
  #findDeliveries(): Promise<PendingWebhookDelivery[]> {
    const { storage, clock } = this.#dependencies;
    const [webhookId, now] = [this.#webhookId, clock()];
    if (!this.#monitor.isBackedOff) {
      return listDueWebhookDeliveries(storage.rows, { webhookId, after: this.#position, now, limit: BATCH });
    }
    return this.#findProbe(webhookId, now);
  }

  async #findProbe(webhookId: string, now: number): Promise<PendingWebhookDelivery[]> {
    const { storage, recorder } = this.#dependencies;
    const { rows } = storage;
    // The previous probe must not be found again.
    await recorder.flush();
    const untried = this.#monitor.prefersUntriedEvent
      ? await listOldestUntriedWebhookDelivery(rows, webhookId, now)
      : [];
    return untried.length > 0
      ? untried
      : listDueWebhookDeliveries(rows, { webhookId, after: QUEUE_START, now, limit: 1 });
  }

  /** False when the queue must be read again before the next attempt. */
  async #deliverAll(webhook: LoadedWebhook, deliveries: readonly PendingWebhookDelivery[]): Promise<boolean> {
    const withoutBody = deliveries.filter(({ body }) => body === null).map(({ event_id }) => event_id);
    const bodies = this.#dependencies.payloads.buildBodies(webhook.receiver, withoutBody);
    for (const delivery of deliveries) {
      if (this.#hasChanged || this.#mustStop() || this.#isRetryDue()) return false;
      const { body, note } = delivery;
      const wasBackedOff = this.#monitor.isBackedOff;
      await this.#attempt(
        webhook,
        delivery,
        body === null ? ((await bodies.next()).value ?? null) : { text: body, note },
      );
      if (wasBackedOff || this.#monitor.mustWait) return false;
    }
    return true;
  }

  #mustStop(): boolean {
    const { stopping, recorder, clock } = this.#dependencies;
    return this.#isClosing || stopping.aborted || clock() >= Math.max(this.#leasedUntil, recorder.renewedUntil);
  }

  #isRetryDue(): boolean {
    return this.#firstRetryAt <= this.#dependencies.clock();
  }

  async #untilNextAttempt(): Promise<WebhookQueueRunResult> {
    const { storage, recorder } = this.#dependencies;
    await recorder.flush();
    const nextAttemptAt = await findNextWebhookAttemptAt(storage.rows, this.#webhookId);
    return { retryAt: nextAttemptAt === null ? null : Math.max(nextAttemptAt, this.#monitor.resumeAt) };
  }

  async #waitForMore(): Promise<boolean> {
    if (!this.hasMore && !this.#isClosing) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, IDLE_MS);
        this.#endIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#endIdle = undefined;
    }
    return this.hasMore && !this.#mustStop();
  }

  async #attempt(
    { receiver, secret }: LoadedWebhook,
    delivery: PendingWebhookDelivery,
    body: WebhookRequestBody | null,
  ): Promise<void> {
    const { client, clock, stopping, recorder } = this.#dependencies;
    const startedAt = clock();
    const result =
      body === null
        ? eventDeletedDeliveryResult
        : await client.post({ id: delivery.id, url: receiver.url, secret, body: body.text });
    // This bridge aborted the request, so the receiver has not failed.
    if (stopping.aborted && result.error !== null) return;
    const attempt = { receiver, delivery, body, result, startedAt };
    if (result.error !== null) return this.#failed(attempt);
    recorder.record(toSuccessfulDeliveryUpdate(attempt));
    this.#apply(await this.#monitor.succeeded(receiver));
  }

  async #failed(attempt: WebhookDeliveryAttempt): Promise<void> {
    const { recorder, clock, random } = this.#dependencies;
    const update = toFailedDeliveryUpdate(attempt, clock(), random());
    recorder.record(update);
    this.#firstRetryAt = Math.min(this.#firstRetryAt, update.next_attempt_at ?? Infinity);
    // The result says nothing about a deleted event or about an edited webhook.
    if (attempt.body !== null && !this.#hasChanged) this.#apply(await this.#monitor.failed(attempt));
  }

  #apply({ hasReleased, hasReported }: WebhookHealthUpdateResult): void {
    if (hasReleased) this.#position = QUEUE_START;
    if (hasReported) this.#hasChanged = true;
  }
}
