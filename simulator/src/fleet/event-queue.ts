import type { EventSource } from '@lintel/device-link/session/uplink/event-uploader';
import type { Ack } from '@lintel/wire-protocol/mqtt/messages/ack';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** An event before it has its sequence number. */
export type UnnumberedEvent = Omit<DeviceEvent, 'sequence'>;

interface Waiting {
  readonly event: UnnumberedEvent;
  readonly since: number;
}

interface Sent {
  readonly event: DeviceEvent;
  readonly since: number;
}

export interface EventQueueParts {
  /** Since when each of the events had waited that are committed now. */
  readonly onCommitted: (since: readonly number[]) => void;
  readonly onResent: () => void;
}

const MOST_IN_BATCH = 100;

/**
 * Events of one controller until the bridge has committed them: one batch is sent, the others wait behind it. A run does
 * not know the last sequence number of the previous run; the first acknowledgement reports it, and until then there is
 * only the first batch.
 */
export class EventQueue implements EventSource {
  readonly #parts: EventQueueParts;
  #waiting: Waiting[] = [];
  #batch: Sent[] = [];
  #isSent = false;
  #sequence = 0;

  constructor(parts: EventQueueParts) {
    this.#parts = parts;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** All that are not committed yet. */
  get size(): number {
    return this.#waiting.length + this.#batch.length;
  }

  get underWay(): number {
    return this.#isSent ? this.#batch.length : 0;
  }

  add(event: UnnumberedEvent, now: number): void {
    this.#waiting.push({ event, since: now });
  }

  next(limit: number): readonly DeviceEvent[] {
    if (this.#isSent) return [];
    if (this.#batch.length === 0) {
      this.#batch = this.#waiting
        .splice(0, Math.min(limit, MOST_IN_BATCH))
        .map(({ event, since }) => ({ event: { ...event, sequence: ++this.#sequence }, since }));
    }
    this.#isSent = this.#batch.length > 0;
    return this.#batch.map(({ event }) => event);
  }

  restart(): void {
    if (this.#isSent) this.#parts.onResent();
    this.#isSent = false;
  }

  acknowledged({ up_to, event_ids }: Ack): void {
    const named = new Set<string>(event_ids);
    const isCommitted = ({ event }: Sent): boolean => event.sequence <= up_to || named.has(event.id);
    const committed = this.#batch.filter(isCommitted).map(({ since }) => since);
    if (committed.length > 0) this.#batch = this.#batch.filter(sent => !isCommitted(sent));
    this.#isSent = false;
    this.#sequence = Math.max(this.#sequence, up_to);
    this.#parts.onCommitted(committed);
  }
}
