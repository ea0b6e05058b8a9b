import type { Storage } from '../storage/open-storage.ts';
import type { WebhookDeliveryRecorder } from './batched-delivery-and-lease-writer.ts';
import type { WebhookDeliveryAttempt } from './delivery-columns-after-attempt.ts';
import {
  startWebhookRetryWindowsAndFailExpired,
  resumeWebhookDeliveries,
  type WebhookReceiver,
} from './pending-deliveries.ts';
import {
  computeReceiverHealthAfterFailure,
  healthyWebhookReceiver,
  isWebhookReceiverBackedOff,
  prefersUntriedEvent,
  type WebhookReceiverHealth,
  toWebhookReceiverHealth,
  toWebhookHealthColumns,
} from './receiver-health.ts';

export interface WebhookDeliveryBackoffDependencies {
  readonly storage: Storage;
  readonly recorder: WebhookDeliveryRecorder;
  readonly clock: () => number;
  readonly random: () => number;
  /** Called for a receiver that has failed for a day, and with null when it works again. */
  readonly reportHealth: (receiver: WebhookReceiver, failingSince: number | null) => Promise<void>;
}

export interface WebhookHealthUpdateResult {
  /** Waiting deliveries are due now. */
  readonly hasReleased: boolean;
  /** The webhook shows another health than before. */
  readonly hasReported: boolean;
}

const FAILING_MS = 24 * 60 * 60 * 1000;

/** Records the health of the receiver of one webhook, and holds or releases its deliveries accordingly. */
export class WebhookDeliveryBackoff {
  readonly #dependencies: WebhookDeliveryBackoffDependencies;
  readonly #webhookId: string;
  #health = healthyWebhookReceiver;

  constructor(dependencies: WebhookDeliveryBackoffDependencies, webhookId: string) {
    this.#dependencies = dependencies;
    this.#webhookId = webhookId;
  }

  get isBackedOff(): boolean {
    return isWebhookReceiverBackedOff(this.#health);
  }

  get prefersUntriedEvent(): boolean {
    return prefersUntriedEvent(this.#health);
  }

  get resumeAt(): number {
    return this.#health.resumeAt;
  }

  get mustWait(): boolean {
    return this.#health.resumeAt > this.#dependencies.clock();
  }

  load(receiver: WebhookReceiver): void {
    this.#health = toWebhookReceiverHealth(receiver);
  }

  async succeeded(receiver: WebhookReceiver): Promise<WebhookHealthUpdateResult> {
    const hasReleased = this.#health !== healthyWebhookReceiver && (await this.#set(healthyWebhookReceiver, ''));
    const hasReported = receiver.reported_since !== null;
    if (hasReported) await this.#dependencies.reportHealth(receiver, null);
    return { hasReleased, hasReported };
  }

  async failed({ receiver, delivery, result, startedAt }: WebhookDeliveryAttempt): Promise<WebhookHealthUpdateResult> {
    const { clock, random, reportHealth } = this.#dependencies;
    const now = clock();
    const failure = { deliveryId: delivery.id, result, startedAt, now, random: random() };
    const health = computeReceiverHealthAfterFailure(this.#health, failure);
    const hasReleased = await this.#set(health, result.error ?? '');
    const failingSince = health.failingSince ?? now;
    const hasReported = receiver.reported_since === null && now - failingSince >= FAILING_MS;
    if (hasReported) await reportHealth(receiver, failingSince);
    return { hasReleased, hasReported };
  }

  /** Returns whether waiting deliveries were released. */
  async #set(health: WebhookReceiverHealth, error: string): Promise<boolean> {
    const { recorder, storage, clock } = this.#dependencies;
    const previous = this.#health;
    this.#health = health;
    recorder.updateHealth(this.#webhookId, toWebhookHealthColumns(health));
    if (health.backoffs > previous.backoffs) {
      await recorder.flush();
      await startWebhookRetryWindowsAndFailExpired(storage.writer, this.#webhookId, { now: clock(), reason: error });
      return false;
    }
    if (!isWebhookReceiverBackedOff(previous) || isWebhookReceiverBackedOff(health)) return false;
    await recorder.flush();
    await resumeWebhookDeliveries(storage.writer, this.#webhookId, clock());
    return true;
  }
}
