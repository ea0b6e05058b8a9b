import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { type EventStore, EventStoreError } from './event-store.ts';

/** Events on their way at most, so that catching up on a million takes no more memory than on a thousand. */
const MOST_UNDER_WAY = 5_000;
/** After a short cut everything arrives in the order in which it happened, and is there at once all the same. */
const SHORT_BACKLOG = 1_000;

type LaneStore = Pick<EventStore, 'read' | 'acknowledge' | 'lastSequence' | 'waiting'>;

/** Events that the disk did not take. They have higher numbers than those that it has. */
export interface EventsInMemory {
  inMemory(): readonly DeviceEvent[];
  /** The bridge has committed them. */
  confirmed(ids: ReadonlySet<string>): void;
}

const nothingInMemory: EventsInMemory = { inMemory: () => [], confirmed: () => undefined };

/**
 * What to send next. After a time without a line there is a backlog; what happens now travels in a lane of its own and
 * does not wait behind it. The lanes take turns, each in the order of the sequence.
 */
export class EventQueues {
  readonly #store: LaneStore;
  readonly #memory: EventsInMemory;
  readonly #underWay = new Map<string, number>();
  #border = 0;
  #backlogAt = 0;
  #liveAt = 0;
  #turn: 'live' | 'backlog' = 'live';

  constructor(store: LaneStore, memory: EventsInMemory = nothingInMemory) {
    this.#store = store;
    this.#memory = memory;
    this.restart();
  }

  /** A new connection, or rows that were salvaged: everything unconfirmed is sent again, the bridge knows it by its id. */
  restart(): void {
    this.#border = this.#store.waiting() > SHORT_BACKLOG ? this.#store.lastSequence() : 0;
    this.#backlogAt = 0;
    this.#liveAt = this.#border;
    this.#underWay.clear();
  }

  /** Sent over this connection and not confirmed. */
  get underWay(): number {
    return this.#underWay.size;
  }

  /** The next batch, empty when all is sent or enough is under way. */
  next(limit: number): readonly DeviceEvent[] {
    const room = Math.min(limit, MOST_UNDER_WAY - this.#underWay.size);
    if (room <= 0) return [];
    const [first, second] = this.#turn === 'live' ? [this.#live, this.#backlog] : [this.#backlog, this.#live];
    this.#turn = this.#turn === 'live' ? 'backlog' : 'live';
    const events = first(room);
    const batch = events.length > 0 ? events : second(room);
    for (const { id, sequence } of batch) this.#underWay.set(id, sequence);
    return batch;
  }

  /** Null while the disk does not give anything; the log tells of that, and gets it to work again. */
  #stored(after: number, upTo: number, limit: number): readonly DeviceEvent[] | null {
    try {
      return this.#store.read(after, upTo, limit);
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
      return null;
    }
  }

  readonly #live = (limit: number): readonly DeviceEvent[] => {
    for (;;) {
      const events = this.#stored(this.#liveAt, Number.MAX_SAFE_INTEGER, limit) ?? [];
      if (events.length === 0) return this.#notSent(this.#memory.inMemory()).slice(0, limit);
      this.#liveAt = events.at(-1)!.sequence;
      // Some may have been sent from memory, before the disk took them after all.
      const fresh = this.#notSent(events);
      if (fresh.length > 0) return fresh;
    }
  };

  #notSent(events: readonly DeviceEvent[]): readonly DeviceEvent[] {
    return events.filter(({ id }) => !this.#underWay.has(id));
  }

  readonly #backlog = (limit: number): readonly DeviceEvent[] => {
    const events = this.#stored(this.#backlogAt, this.#border, limit);
    if (events === null) return [];
    this.#backlogAt = events.at(-1)?.sequence ?? this.#border;
    return events;
  };

  /**
   * The bridge's word that it has committed them. Ids that were not sent over this connection say nothing, nor do
   * numbers: those of a controller that lost some before it could write them down are used again.
   */
  acknowledged({ up_to, event_ids }: { readonly up_to: number; readonly event_ids: readonly string[] }): void {
    const sentUpTo = this.#backlogAt < this.#border ? this.#backlogAt : this.#liveAt;
    const below = [...this.#underWay].flatMap(([id, sequence]) => (sequence <= up_to ? [id] : []));
    const ids = [...below, ...event_ids.filter(id => this.#underWay.has(id))];
    this.#memory.confirmed(new Set(ids));
    const sequences = event_ids.flatMap(id => this.#underWay.get(id) ?? []);
    this.#store.acknowledge(Math.min(up_to, sentUpTo), sequences);
    for (const id of ids) this.#underWay.delete(id);
  }
}
