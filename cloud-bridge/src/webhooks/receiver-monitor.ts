import type { Storage } from '../storage/open-storage.ts';
import type { DeliveryRecorder } from './delivery-recorder.ts';
import type { DeliveryAttempt } from './delivery-updates.ts';
import { postponeDeliveries, resumeDeliveries, type WebhookReceiver } from './pending-deliveries.ts';
import {
  receiverHealthAfterFailure,
  healthyReceiver,
  isReceiverBackedOff,
  prefersUntriedEvent,
  type ReceiverHealth,
  toHealth,
  toHealthColumns,
} from './receiver-health.ts';

export interface ReceiverMonitorDependencies {
  readonly storage: Storage;
  readonly recorder: DeliveryRecorder;
  readonly clock: () => number;
  readonly random: () => number;
  /** Called for a receiver that has failed for a day, and with null when it works again. */
  readonly reportHealth: (receiver: WebhookReceiver, failingSince: number | null) => Promise<void>;
}

export interface HealthChange {
  /** Waiting deliveries are due now. */
  readonly hasReleased: boolean;
  /** The webhook shows another health than before. */
  readonly hasReported: boolean;
}

const FAILING_MS = 24 * 60 * 60 * 1000;

/** Records the health of the receiver of one webhook, and holds or releases its deliveries accordingly. */
export class ReceiverMonitor {
  readonly #dependencies: ReceiverMonitorDependencies;
  readonly #webhookId: string;
  #health = healthyReceiver;

  constructor(dependencies: ReceiverMonitorDependencies, webhookId: string) {
    this.#dependencies = dependencies;
    this.#webhookId = webhookId;
  }

  get isBackedOff(): boolean {
    return isReceiverBackedOff(this.#health);
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
    this.#health = toHealth(receiver);
  }

  async succeeded(receiver: WebhookReceiver): Promise<HealthChange> {
    const hasReleased = this.#health !== healthyReceiver && (await this.#set(healthyReceiver, ''));
    const hasReported = receiver.reported_since !== null;
    if (hasReported) await this.#dependencies.reportHealth(receiver, null);
    return { hasReleased, hasReported };
  }

  async failed({ receiver, delivery, result, startedAt }: DeliveryAttempt): Promise<HealthChange> {
    const { clock, random, reportHealth } = this.#dependencies;
    const now = clock();
    const failure = { deliveryId: delivery.id, result, startedAt, now, random: random() };
    const health = receiverHealthAfterFailure(this.#health, failure);
    const hasReleased = await this.#set(health, result.error ?? '');
    const failingSince = health.failingSince ?? now;
    const hasReported = receiver.reported_since === null && now - failingSince >= FAILING_MS;
    if (hasReported) await reportHealth(receiver, failingSince);
    return { hasReleased, hasReported };
  }

  /** Returns whether waiting deliveries were released. */
  async #set(health: ReceiverHealth, error: string): Promise<boolean> {
    const { recorder, storage, clock } = this.#dependencies;
    const previous = this.#health;
    this.#health = health;
    recorder.updateHealth(this.#webhookId, toHealthColumns(health));
    if (health.backoffs > previous.backoffs) {
      await recorder.flush();
      await postponeDeliveries(storage.writer, this.#webhookId, { now: clock(), reason: error });
      return false;
    }
    if (!isReceiverBackedOff(previous) || isReceiverBackedOff(health)) return false;
    await recorder.flush();
    await resumeDeliveries(storage.writer, this.#webhookId, clock());
    return true;
  }
}
