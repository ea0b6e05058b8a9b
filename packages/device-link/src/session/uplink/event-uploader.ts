import { computeMaxBackoffDelay } from '@lintel/service/timing/backoff';
import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { EventAckMqttMessage } from '@lintel/wire-protocol/mqtt/messages/event-ack';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { UplinkPublisher } from './uplink-publisher.ts';

const BATCH = 500;
/** Batches that the broker has not taken yet: one is signed while the other is published. */
const MOST_UNPUBLISHED = 2;
const ACK_MS = 30_000;
const LONGEST_ACK_MS = 600_000;

/** Events that the bridge has not acknowledged. */
export interface EventUploadSource {
  /** The next batch; empty when all are sent or enough are unacknowledged. */
  next(limit: number): readonly DeviceEvent[];
  acknowledged(ack: EventAckMqttMessage): void;
  /** All unacknowledged events are sent again; the bridge recognizes them by their ids. */
  restart(): void;
  /** How many were sent over this connection and are not acknowledged. */
  readonly unacknowledgedCount: number;
}

export interface EventUploaderDependencies {
  /** Absent for a device that records no events. */
  readonly events?: EventUploadSource;
  readonly publisher: UplinkPublisher;
  readonly clock: MonotonicClock;
  readonly log: Log;
}

const noEvents: EventUploadSource = {
  next: () => [],
  acknowledged: () => undefined,
  restart: () => undefined,
  unacknowledgedCount: 0,
};

/** Sends events until the bridge acknowledges that it has committed them. */
export class EventUploader {
  readonly #parts: EventUploaderDependencies;
  readonly #events: EventUploadSource;
  #isConnected = false;
  /** False while only the gateway is reachable, which stores events until it is online again. */
  #isOnline = false;
  #unpublished = 0;
  #isScheduled = false;
  #timeouts = 0;
  #cancelWait: (() => void) | null = null;

  constructor(parts: EventUploaderDependencies) {
    this.#parts = parts;
    this.#events = parts.events ?? noEvents;
  }

  connected(): void {
    this.#isConnected = true;
    this.#restart();
  }

  disconnected(): void {
    this.#isConnected = false;
    this.#stopWaiting();
  }

  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    this.#timeouts = 0;
    this.#stopWaiting();
    if (isOnline && this.#isConnected) this.#restart();
  }

  /** To be called after every new event. Events of the same moment are sent together. */
  wake(): void {
    if (this.#isScheduled || !this.#isConnected) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#upload();
    });
  }

  #restart(): void {
    this.#events.restart();
    this.wake();
  }

  #upload(): void {
    while (this.#isConnected && this.#unpublished < MOST_UNPUBLISHED) {
      const events = this.#next();
      if (events.length === 0) break;
      void this.#send(events);
    }
    this.#waitForAck();
  }

  async #send(events: readonly DeviceEvent[]): Promise<void> {
    this.#unpublished += 1;
    await this.#parts.publisher.publish('events', { v: 1, events: [...events] });
    this.#unpublished -= 1;
    this.wake();
  }

  #next(): readonly DeviceEvent[] {
    try {
      return this.#events.next(BATCH);
    } catch {
      // The event log reports a failing disk and recovers it.
      return [];
    }
  }

  /** Nothing else reports a message that was lost behind the broker. */
  #waitForAck(): void {
    if (this.#cancelWait !== null || !this.#isOnline || this.#events.unacknowledgedCount === 0) return;
    const { clock, log } = this.#parts;
    const wait = computeMaxBackoffDelay({ firstMs: ACK_MS, longestMs: LONGEST_ACK_MS }, this.#timeouts);
    this.#cancelWait = clock.wake(addMilliseconds(clock.now(), wait), () => {
      this.#cancelWait = null;
      this.#timeouts += 1;
      log('warn', 'events were not acknowledged and are sent again', { after_ms: wait });
      this.#restart();
    });
  }

  #stopWaiting(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
  }

  acknowledged(ack: EventAckMqttMessage): void {
    try {
      this.#events.acknowledged(ack);
    } catch {
      // They stay and are sent again, and the bridge recognizes them by their ids.
    }
    this.#timeouts = 0;
    this.#stopWaiting();
    this.wake();
  }
}
