import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { EventStore } from '../ports/event-store.ts';

/** Events on their way at most, so that catching up on a million takes no more memory than on a thousand. */
const MOST_UNDER_WAY = 5_000;
/** After a short cut everything arrives in the order in which it happened, and is there at once all the same. */
const SHORT_BACKLOG = 1_000;

type LaneStore = Pick<EventStore, 'read' | 'acknowledge' | 'lastSequence' | 'waiting'>;

/**
 * What to send next. After a time without a line there is a backlog; what happens now travels in a lane of its own and
 * does not wait behind it. The lanes take turns, each in the order of the sequence.
 */
export class EventLanes {
  readonly #store: LaneStore;
  readonly #underWay = new Map<string, number>();
  #border = 0;
  #backlogAt = 0;
  #liveAt = 0;
  #turn: 'live' | 'backlog' = 'live';

  constructor(store: LaneStore) {
    this.#store = store;
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

  readonly #live = (limit: number): readonly DeviceEvent[] => {
    const events = this.#store.read(this.#liveAt, Number.MAX_SAFE_INTEGER, limit);
    this.#liveAt = events.at(-1)?.sequence ?? this.#liveAt;
    return events;
  };

  readonly #backlog = (limit: number): readonly DeviceEvent[] => {
    const events = this.#store.read(this.#backlogAt, this.#border, limit);
    this.#backlogAt = events.at(-1)?.sequence ?? this.#backlogAt;
    return events;
  };

  /** The bridge's word that it has committed them. Ids that were not sent over this connection say nothing. */
  acknowledged({ up_to, event_ids }: { readonly up_to: number; readonly event_ids: readonly string[] }): void {
    const sequences = event_ids.flatMap(id => this.#underWay.get(id) ?? []);
    this.#store.acknowledge(up_to, sequences);
    for (const id of event_ids) this.#underWay.delete(id);
    for (const [id, sequence] of this.#underWay) if (sequence <= up_to) this.#underWay.delete(id);
  }
}
