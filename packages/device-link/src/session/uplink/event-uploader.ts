import { computeMaxBackoffDelay } from '@lintel/service/timing/backoff';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { EventAckMqttMessage } from '@lintel/wire-protocol/mqtt/messages/event-ack';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { UplinkPublisher } from './uplink-publisher.ts';

const BATCH = 500;
/** Batches that the broker has not taken yet: one is signed while the other is published. */
const MOST_UNPUBLISHED = 2;
const ACK_MS = 30_000;
const LONGEST_ACK_MS = 60_000;
/** Batches of several bridges may be acknowledged in another order, but not this late. */
const OVERTAKEN_MS = 3_000;

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

/** A batch that was sent, in the order of sending. */
interface SentBatch {
  readonly at: MonotonicTime;
  readonly unacknowledged: Set<string>;
}

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
  #sent: SentBatch[] = [];
  #isOvertaken = false;
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
    this.#sent = [];
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
    const unacknowledged = new Set(events.map(({ id }) => id));
    this.#sent.push({ at: this.#parts.clock.now(), unacknowledged });
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
    const wait = this.#isOvertaken
      ? OVERTAKEN_MS
      : computeMaxBackoffDelay({ firstMs: ACK_MS, longestMs: LONGEST_ACK_MS }, this.#timeouts);
    this.#cancelWait = clock.wake(addMilliseconds(clock.now(), wait), () => {
      this.#cancelWait = null;
      if (!this.#isOvertaken) this.#timeouts += 1;
      this.#isOvertaken = false;
      log('warn', 'events were not acknowledged and are sent again', { after_ms: wait });
      this.#restart();
    });
  }

  #stopWaiting(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
    this.#isOvertaken = false;
  }

  /** True if events that were sent before these are still unacknowledged. */
  #removeAcknowledged(ids: readonly string[]): boolean {
    let last = -1;
    for (const [position, { unacknowledged }] of this.#sent.entries())
      for (const id of ids) if (unacknowledged.delete(id)) last = position;
    const isOvertaken = this.#sent.slice(0, last).some(({ unacknowledged }) => unacknowledged.size > 0);
    this.#sent = this.#sent.filter(({ unacknowledged }) => unacknowledged.size > 0);
    return isOvertaken;
  }

  /** The bridge is there, perhaps again. What it has not acknowledged for long did not arrive. */
  bridgeAnswered(): void {
    const [oldest] = this.#sent;
    if (!this.#isConnected || oldest === undefined) return this.wake();
    if (this.#parts.clock.now() - oldest.at < OVERTAKEN_MS) return this.wake();
    this.#timeouts = 0;
    this.#stopWaiting();
    this.#restart();
  }

  acknowledged(ack: EventAckMqttMessage): void {
    try {
      this.#events.acknowledged(ack);
    } catch {
      // They stay and are sent again, and the bridge recognizes them by their ids.
    }
    this.#timeouts = 0;
    const isOvertaken = this.#removeAcknowledged(ack.event_ids);
    // Later acknowledgements must not put off events that were lost on the way.
    if (!isOvertaken || !this.#isOvertaken) this.#stopWaiting();
    this.#isOvertaken = isOvertaken;
    this.wake();
  }
}
