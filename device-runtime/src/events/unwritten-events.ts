import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { type LostSequenceRange, listRangesLostWithEvent, mergeLostRanges } from './lost-ranges.ts';
import type { UnwrittenCopy } from './unwritten-copy.ts';

const MOST_IN_MEMORY = 5_000;

/** Events that could not be written to the event file. They wait in memory. */
export class UnwrittenEvents {
  readonly #copy: UnwrittenCopy;
  #events: DeviceEvent[];
  #lost: readonly LostSequenceRange[] = [];
  #confirmed: number[] = [];

  constructor(copy: UnwrittenCopy) {
    this.#copy = copy;
    this.#events = [...copy.read()];
  }

  get all(): readonly DeviceEvent[] {
    return this.#events;
  }

  /** Dropped, because there were too many. */
  get lost(): readonly LostSequenceRange[] {
    return this.#lost;
  }

  /** Numbers that the event file must not miss: the bridge has their events, or they are renumbered. */
  get settled(): readonly number[] {
    return this.#confirmed;
  }

  add(events: readonly DeviceEvent[]): void {
    this.#copy.append(events);
    this.#events.push(...events);
    const dropped = this.#events.splice(0, this.#events.length - MOST_IN_MEMORY);
    if (dropped.length > 0) this.#lost = mergeLostRanges([...this.#lost, ...dropped.flatMap(listRangesLostWithEvent)]);
  }

  /** They are in the event file. */
  remove(events: ReadonlySet<DeviceEvent>): void {
    this.#events = this.#events.filter(event => !events.has(event));
    this.#clearCopy();
  }

  /** The bridge has committed them. */
  confirm(ids: ReadonlySet<string>): void {
    const { confirmed = [], waiting = [] } = Object.groupBy(this.#events, ({ id }) =>
      ids.has(id) ? 'confirmed' : 'waiting',
    );
    this.#events = waiting;
    this.#confirmed.push(...confirmed.map(({ sequence }) => sequence));
    this.#clearCopy();
  }

  renumber(next: () => Pick<DeviceEvent, 'sequence' | 'epoch'>): void {
    this.#events = this.#events.map(event => ({ ...event, ...next() }));
  }

  /** The losses and settled numbers are in the event file. */
  saved(): void {
    this.#lost = [];
    this.#confirmed = [];
  }

  clear(): void {
    this.#events = [];
    this.saved();
    this.#clearCopy();
  }

  #clearCopy(): void {
    if (this.#events.length === 0) this.#copy.clear();
  }
}
