import { computeMaxBackoffDelay } from '@lintel/service/timing/backoff';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { EventAckMqttMessage } from '@lintel/wire-protocol/mqtt/messages/event-ack';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { UplinkPublisher } from './uplink-publisher.ts';

const BATCH = 500;
/** A batch without an acknowledgement is sent again after this time, which doubles with each attempt. */
const ACK_TIMEOUT = { firstMs: 10_000, longestMs: 60_000 };
/** A batch that was sent this long before a response of the bridge has not arrived there. */
export const LOST_AFTER_MS = 3_000;

/** Events that the bridge has not acknowledged. */
export interface EventUploadSource {
  /** The next batch; empty when all are sent. */
  next(limit: number): readonly DeviceEvent[];
  acknowledged(ack: EventAckMqttMessage): void;
  /** All unacknowledged events are sent again; the bridge recognizes them by their ids. */
  restart(): void;
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
};

interface SentBatch {
  readonly sentAt: MonotonicTime;
  readonly unacknowledged: Set<string>;
}

/**
 * Sends one batch of events at a time, until the bridge acknowledges that it has committed it. So the controllers of a site
 * share the bridge evenly when all of them return at once.
 */
export class EventUploader {
  readonly #parts: EventUploaderDependencies;
  readonly #events: EventUploadSource;
  #isConnected = false;
  /** False while only the gateway is reachable. It gets each event once, for the site, and acknowledges none. */
  #isOnline = false;
  #isScheduled = false;
  #timeouts = 0;
  #batch: SentBatch | null = null;
  #cancelTimeout: () => void = () => undefined;

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
    this.#endBatch();
  }

  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    this.#timeouts = 0;
    if (isOnline && this.#isConnected) return this.#restart();
    this.#endBatch();
    this.wake();
  }

  /** To be called after every new event. Events of the same moment are sent together. */
  wake(): void {
    if (this.#isScheduled || !this.#isConnected) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#isConnected && this.#batch === null) void this.#sendNext();
    });
  }

  #restart(): void {
    this.#endBatch();
    this.#events.restart();
    this.wake();
  }

  #endBatch(): void {
    this.#cancelTimeout();
    this.#batch = null;
  }

  async #sendNext(): Promise<void> {
    const events = this.#next();
    if (events.length === 0) return;
    const batch = { sentAt: this.#parts.clock.now(), unacknowledged: new Set(events.map(({ id }) => id)) };
    this.#batch = batch;
    if (this.#isOnline) this.#startTimeout();
    await this.#parts.publisher.publish('events', { v: 1, events: [...events] });
    if (this.#isOnline || this.#batch !== batch) return;
    this.#endBatch();
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
  #startTimeout(): void {
    const { clock, log } = this.#parts;
    const wait = computeMaxBackoffDelay(ACK_TIMEOUT, this.#timeouts);
    this.#cancelTimeout = clock.wake(addMilliseconds(clock.now(), wait), () => {
      this.#timeouts += 1;
      log('warn', 'events were not acknowledged and are sent again', { after_ms: wait });
      this.#restart();
    });
  }

  /** The bridge is there, perhaps again. */
  bridgeAnswered(): void {
    const { clock } = this.#parts;
    if (this.#batch === null || clock.now() - this.#batch.sentAt < LOST_AFTER_MS) return this.wake();
    this.#timeouts = 0;
    this.#restart();
  }

  acknowledged(ack: EventAckMqttMessage): void {
    try {
      this.#events.acknowledged(ack);
    } catch {
      // They stay and are sent again, and the bridge recognizes them by their ids.
      return;
    }
    this.#timeouts = 0;
    for (const id of ack.event_ids) this.#batch?.unacknowledged.delete(id);
    if (this.#batch === null || this.#batch.unacknowledged.size > 0) return;
    this.#endBatch();
    this.wake();
  }
}
