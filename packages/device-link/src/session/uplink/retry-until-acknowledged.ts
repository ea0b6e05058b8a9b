import { computeMaxBackoffDelay } from '@lintel/service/timing/backoff';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import type { UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { LOST_AFTER_MS } from './event-uploader.ts';
import type { UplinkPublisher } from './uplink-publisher.ts';

const RESPONSE_TIMEOUT = { firstMs: 10_000, longestMs: 60_000 };

/** A local change that the bridge has not acknowledged yet. */
export interface UnacknowledgedChangeSource<K extends UplinkMessageKind, Response> {
  pending(): MqttMessageContent<K> | null;
  acknowledged(response: Response): void;
  onPending(listener: () => void): void;
}

export interface RetryUntilAcknowledgedDependencies {
  readonly publisher: UplinkPublisher;
  readonly clock: MonotonicClock;
}

/** Retries with backoff until the bridge responds, so that a change made offline is never lost. */
export class RetryUntilAcknowledged<K extends UplinkMessageKind, Response> {
  readonly #kind: K;
  readonly #change: UnacknowledgedChangeSource<K, Response>;
  readonly #parts: RetryUntilAcknowledgedDependencies;
  #isOnline = false;
  #attempts = 0;
  #sentAt: MonotonicTime | null = null;
  #cancel: () => void = () => undefined;

  constructor(kind: K, change: UnacknowledgedChangeSource<K, Response>, parts: RetryUntilAcknowledgedDependencies) {
    this.#kind = kind;
    this.#change = change;
    this.#parts = parts;
    change.onPending(() => this.#start());
  }

  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    this.#start();
  }

  /** The bridge is there, perhaps again. What it has not answered for long has not arrived. */
  timeReceived(): void {
    if (this.#sentAt !== null && this.#parts.clock.now() - this.#sentAt >= LOST_AFTER_MS) this.#start();
  }

  #start(): void {
    this.#attempts = 0;
    this.#send();
  }

  #send(): void {
    const { publisher, clock } = this.#parts;
    this.#cancel();
    this.#sentAt = null;
    // `pending` counts the change as sent, so that a later change waits behind it.
    const message = this.#isOnline ? this.#change.pending() : null;
    if (message === null) return;
    void publisher.publish(this.#kind, message);
    this.#sentAt = clock.now();
    const wait = computeMaxBackoffDelay(RESPONSE_TIMEOUT, this.#attempts);
    this.#attempts += 1;
    this.#cancel = clock.wake(addMilliseconds(clock.now(), wait), () => this.#send());
  }

  acknowledge(response: Response): void {
    this.#cancel();
    this.#sentAt = null;
    this.#change.acknowledged(response);
  }
}
