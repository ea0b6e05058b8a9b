import type { EventUploadSource } from '@lintel/device-link/session/uplink/event-uploader';
import type { EventAckMqttMessage } from '@lintel/wire-protocol/mqtt/messages/event-ack';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** An event without a sequence number. */
export type UnnumberedFleetEvent = Omit<DeviceEvent, 'sequence'>;

interface WaitingEvent {
  readonly event: UnnumberedFleetEvent;
  readonly since: number;
}

interface SentEvent {
  readonly event: DeviceEvent;
  readonly since: number;
}

export interface FleetEventQueueCallbacks {
  /** Called with the creation time of each committed event. */
  readonly onCommitted: (since: readonly number[]) => void;
  readonly onResent: () => void;
}

const MAX_BATCH_SIZE = 100;

/**
 * Holds the events of one controller until the bridge has committed them. One batch is in transit at a time.
 */
export class FleetEventQueue implements EventUploadSource {
  readonly #callbacks: FleetEventQueueCallbacks;
  #waiting: WaitingEvent[] = [];
  #batch: SentEvent[] = [];
  #isSent = false;
  #sequence = 0;

  constructor(callbacks: FleetEventQueueCallbacks) {
    this.#callbacks = callbacks;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Number of events that are not committed. */
  get size(): number {
    return this.#waiting.length + this.#batch.length;
  }

  add(event: UnnumberedFleetEvent, now: number): void {
    this.#waiting.push({ event, since: now });
  }

  next(limit: number): readonly DeviceEvent[] {
    if (this.#isSent) return [];
    if (this.#batch.length === 0) {
      this.#batch = this.#waiting
        .splice(0, Math.min(limit, MAX_BATCH_SIZE))
        .map(({ event, since }) => ({ event: { ...event, sequence: ++this.#sequence }, since }));
    }
    this.#isSent = this.#batch.length > 0;
    return this.#batch.map(({ event }) => event);
  }

  restart(): void {
    if (this.#isSent) this.#callbacks.onResent();
    this.#isSent = false;
  }

  acknowledged({ event_ids }: Pick<EventAckMqttMessage, 'event_ids'>): void {
    const named = new Set<string>(event_ids);
    const isCommitted = ({ event }: SentEvent): boolean => named.has(event.id);
    const committed = this.#batch.filter(isCommitted).map(({ since }) => since);
    if (committed.length > 0) this.#batch = this.#batch.filter(sent => !isCommitted(sent));
    this.#isSent = false;
    this.#callbacks.onCommitted(committed);
  }
}
