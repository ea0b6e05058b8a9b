import { performance } from 'node:perf_hooks';
import type { Storage } from '../storage/open-storage.ts';
import { eventDeletedResult, toFailureUpdate, toSuccessUpdate, type DeliveryAttempt } from './delivery-updates.ts';
import type { DeliveryRecorder } from './delivery-recorder.ts';
import type { WebhookPayloads } from './webhook-payloads.ts';
import {
  failPendingDeliveries,
  findWebhookReceiver,
  type PendingDelivery,
  findPendingDeliveries,
  type WebhookReceiver,
} from './pending-deliveries.ts';
import type { WebhookClient } from './webhook-client.ts';

export interface QueueWorkerDependencies {
  readonly storage: Storage;
  readonly client: WebhookClient;
  readonly payloads: WebhookPayloads;
  readonly recorder: DeliveryRecorder;
  readonly clock: () => number;
  readonly random: () => number;
  readonly secretOf: (receiver: WebhookReceiver) => string;
  /** Called for a receiver that has failed for too long. */
  readonly disable: (receiver: WebhookReceiver) => Promise<void>;
  /** Aborted when the bridge stops. */
  readonly stopping: AbortSignal;
}

const BATCH = 100;
const FAILING_LIMIT_MS = 24 * 60 * 60 * 1000;
/** Keeps the lease of an empty queue for this long, so that the next event needs no new lease. */
const IDLE_MS = 300;
/** Reads the webhook again after this time, to notice changes by other bridges. */
const REREAD_MS = 1000;
const QUEUE_START = -1;

/** `retryAt` is null when nothing is left to do, otherwise the time of the next attempt for the first event. */
export interface QueueRunResult {
  readonly retryAt: number | null;
}

const queueDone: QueueRunResult = { retryAt: null };

interface LoadedWebhook {
  readonly receiver: WebhookReceiver;
  readonly secret: string;
  readonly readAt: number;
}

/** Delivers the events of one webhook in order, one at a time, while this bridge holds the lease of its queue. */
export class WebhookQueueWorker {
  readonly #dependencies: QueueWorkerDependencies;
  readonly #webhookId: string;
  readonly #leasedUntil: number;
  #failingSince: number | null = null;
  #webhook: LoadedWebhook | null = null;
  /** Deliveries up to this position are not read again, because their results may not be recorded yet. */
  #position = QUEUE_START;
  #hasNewDeliveries = false;
  #hasChanged = false;
  #isClosing = false;
  #endIdle: (() => void) | undefined;

  constructor(dependencies: QueueWorkerDependencies, webhookId: string, leasedUntil: number) {
    this.#dependencies = dependencies;
    this.#webhookId = webhookId;
    this.#leasedUntil = leasedUntil;
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
  async run(): Promise<QueueRunResult> {
    const { recorder } = this.#dependencies;
    try {
      return await this.#deliverUntilDone();
    } finally {
      recorder.updateQueue({ webhook_id: this.#webhookId, failing_since: this.#failingSince, released: 1 });
      await recorder.flush();
    }
  }

  async #deliverUntilDone(): Promise<QueueRunResult> {
    const { storage } = this.#dependencies;
    for (;;) {
      const webhook = await this.#loadWebhook();
      if (webhook === null) return queueDone;
      this.#hasNewDeliveries = false;
      const deliveries = await findPendingDeliveries(storage.rows, this.#webhookId, this.#position, BATCH);
      const result = await this.#deliverAll(webhook, deliveries);
      if (result !== null) return result;
      if (this.#hasChanged) continue;
      this.#position = deliveries.at(-1)?.position ?? this.#position;
      if (deliveries.length < BATCH && !(await this.#waitForMore())) return queueDone;
    }
  }

  /** Loads the webhook; null when it is disabled or deleted. */
  async #loadWebhook(): Promise<LoadedWebhook | null> {
    if (this.#webhook !== null && !this.#hasChanged && performance.now() - this.#webhook.readAt < REREAD_MS) {
      return this.#webhook;
    }
    const { storage, recorder, secretOf } = this.#dependencies;
    // Results must be recorded before the queue is read from its start.
    if (this.#position !== QUEUE_START) await recorder.flush();
    this.#hasChanged = false;
    this.#position = QUEUE_START;
    const receiver = await findWebhookReceiver(storage.rows, this.#webhookId);
    if (receiver === undefined) return null;
    if (this.#webhook === null) this.#failingSince = receiver.failing_since;
    this.#webhook = { receiver, secret: secretOf(receiver), readAt: performance.now() };
    if (receiver.is_deleted === 1) await failPendingDeliveries(storage.writer, receiver.id, 'the webhook was deleted');
    return receiver.is_deleted === 1 || receiver.is_enabled === 0 ? null : this.#webhook;
  }

  /** Null when all deliveries are finished, or when the webhook has changed. */
  async #deliverAll(webhook: LoadedWebhook, deliveries: readonly PendingDelivery[]): Promise<QueueRunResult | null> {
    const { payloads, clock } = this.#dependencies;
    const withoutBody = deliveries.filter(({ body }) => body === null).map(({ event_id }) => event_id);
    const bodies = withoutBody.length === 0 ? null : await payloads.buildBodies(webhook.receiver, withoutBody);
    for (const delivery of deliveries) {
      if (this.#hasChanged) return null;
      if (this.#mustStop()) return queueDone;
      if (delivery.next_attempt_at !== null && delivery.next_attempt_at > clock()) {
        return { retryAt: delivery.next_attempt_at };
      }
      const body = delivery.body ?? bodies?.get(delivery.event_id) ?? null;
      const retryAt = await this.#attempt(webhook, delivery, body);
      if (retryAt !== null) return { retryAt };
    }
    return null;
  }

  #mustStop(): boolean {
    const { stopping, recorder, clock } = this.#dependencies;
    return this.#isClosing || stopping.aborted || clock() >= Math.max(this.#leasedUntil, recorder.renewedUntil);
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

  /** The time of the next attempt; null when the next delivery may start. */
  async #attempt(
    { receiver, secret }: LoadedWebhook,
    delivery: PendingDelivery,
    body: string | null,
  ): Promise<number | null> {
    const { client, clock, stopping } = this.#dependencies;
    const startedAt = clock();
    const result =
      body === null ? eventDeletedResult : await client.post({ url: receiver.url, secret, body }, stopping);
    // This bridge aborted the request, so the receiver has not failed.
    if (stopping.aborted && result.error !== null) return null;
    const attempt = { receiver, delivery, body, result, startedAt };
    return result.error === null ? this.#succeeded(attempt) : this.#failed(attempt);
  }

  #succeeded(attempt: DeliveryAttempt): null {
    const { recorder } = this.#dependencies;
    recorder.record(toSuccessUpdate(attempt));
    if (this.#failingSince === null) return null;
    this.#failingSince = null;
    recorder.updateQueue({ webhook_id: this.#webhookId, failing_since: null, released: 0 });
    return null;
  }

  async #failed(attempt: DeliveryAttempt): Promise<number | null> {
    const { recorder, clock, random, disable } = this.#dependencies;
    const now = clock();
    const update = toFailureUpdate(attempt, now, random());
    recorder.record(update);
    if (attempt.body === null) return null;
    this.#failingSince ??= attempt.startedAt;
    if (now - this.#failingSince < FAILING_LIMIT_MS) return update.next_attempt_at;
    await disable(attempt.receiver);
    this.#failingSince = null;
    this.#hasChanged = true;
    return update.next_attempt_at;
  }
}
