import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { type EventStore, EventStoreError } from './event-store.ts';

/** Limits the memory for a large backlog. */
const MOST_UNACKNOWLEDGED = 5_000;
/** A short backlog is sent in order of occurrence, before new events. */
const SHORT_BACKLOG = 1_000;

type QueueStore = Pick<EventStore, 'read' | 'acknowledge' | 'lastSequence' | 'waitingCount'>;

/** See `EventLog`. */
export interface UnwrittenEventSource {
  /** Events that could not be written. Their numbers are higher than those on disk. */
  inMemory(): readonly DeviceEvent[];
  /** The bridge has committed them. */
  confirmed(ids: ReadonlySet<string>): void;
  onRead(error: EventStoreError | null): void;
}

/** See `EventTimeCorrector`. */
export interface UploadTimeCorrection {
  correct(event: DeviceEvent): DeviceEvent;
  isAwaitingTime(event: DeviceEvent): boolean;
}

const uncorrected: UploadTimeCorrection = { correct: event => event, isAwaitingTime: () => false };
const nothingUnwritten: UnwrittenEventSource = {
  inMemory: () => [],
  confirmed: () => undefined,
  onRead: () => undefined,
};

/**
 * Chooses the events to send next. After an offline period new events have their own queue and do not wait behind the
 * backlog. The queues alternate; each is in order of the sequence.
 */
export class EventQueues {
  readonly #store: QueueStore;
  readonly #unwritten: UnwrittenEventSource;
  readonly #times: UploadTimeCorrection;
  readonly #unacknowledged = new Map<string, number>();
  #backlogEnd = 0;
  #backlogAt = 0;
  #liveAt = 0;
  #turn: 'live' | 'backlog' = 'live';

  constructor(
    store: QueueStore,
    unwritten: UnwrittenEventSource = nothingUnwritten,
    times: UploadTimeCorrection = uncorrected,
  ) {
    this.#store = store;
    this.#unwritten = unwritten;
    this.#times = times;
    this.restart();
  }

  /** For a new connection or salvaged rows. Sends all unconfirmed events again; the bridge recognizes their ids. */
  restart(): void {
    this.#backlogEnd = this.#store.waitingCount() > SHORT_BACKLOG ? this.#store.lastSequence() : 0;
    this.#backlogAt = 0;
    this.#liveAt = this.#backlogEnd;
    this.#unacknowledged.clear();
  }

  /** How many were sent over this connection and are not confirmed. */
  get unacknowledgedCount(): number {
    return this.#unacknowledged.size;
  }

  /** The next batch; empty when all are sent or too many are unacknowledged. */
  next(limit: number): readonly DeviceEvent[] {
    const room = Math.min(limit, MOST_UNACKNOWLEDGED - this.#unacknowledged.size);
    if (room <= 0) return [];
    const [first, second] = this.#turn === 'live' ? [this.#live, this.#backlog] : [this.#backlog, this.#live];
    this.#turn = this.#turn === 'live' ? 'backlog' : 'live';
    const events = first(room);
    const batch = events.length > 0 ? events : second(room);
    for (const { id, sequence } of batch) this.#unacknowledged.set(id, sequence);
    return batch.map(event => this.#times.correct(event));
  }

  /** Null while the disk fails. The event log recovers it. */
  #stored(after: number, upTo: number, limit: number): readonly DeviceEvent[] | null {
    try {
      const events = this.#store.read(after, upTo, limit);
      this.#unwritten.onRead(null);
      return events;
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
      this.#unwritten.onRead(error);
      return null;
    }
  }

  /** The events before the first one whose time is not known yet. */
  #ready(events: readonly DeviceEvent[]): readonly DeviceEvent[] {
    const end = events.findIndex(event => this.#times.isAwaitingTime(event));
    return end === -1 ? events : events.slice(0, end);
  }

  readonly #live = (limit: number): readonly DeviceEvent[] => {
    for (;;) {
      const events = this.#ready(this.#stored(this.#liveAt, Number.MAX_SAFE_INTEGER, limit) ?? []);
      if (events.length === 0) return this.#ready(this.#notSent(this.#unwritten.inMemory())).slice(0, limit);
      this.#liveAt = events.at(-1)!.sequence;
      // Some may have been sent from memory before they were written.
      const fresh = this.#notSent(events);
      if (fresh.length > 0) return fresh;
    }
  };

  #notSent(events: readonly DeviceEvent[]): readonly DeviceEvent[] {
    return events.filter(({ id }) => !this.#unacknowledged.has(id));
  }

  readonly #backlog = (limit: number): readonly DeviceEvent[] => {
    const events = this.#stored(this.#backlogAt, this.#backlogEnd, limit);
    if (events === null) return [];
    const ready = this.#ready(events);
    this.#backlogAt = ready.at(-1)?.sequence ?? (events.length === 0 ? this.#backlogEnd : this.#backlogAt);
    return ready;
  };

  /** The bridge has committed these events. Ids that were not sent over this connection are ignored. */
  acknowledged({ event_ids }: { readonly event_ids: readonly string[] }): void {
    const ids = new Set(event_ids.filter(id => this.#unacknowledged.has(id)));
    if (ids.size === 0) return;
    this.#unwritten.confirmed(ids);
    this.#store.acknowledge([...ids].map(id => this.#unacknowledged.get(id)!));
    for (const id of ids) this.#unacknowledged.delete(id);
  }
}
