import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { EventReserve } from '@lintel/event-store/event-reserve-interface';
import type { LostSequenceRange } from '@lintel/event-store/event-store-interface';
import { mergeLostRanges } from '@lintel/event-store/lost-sequence-ranges';
import type { EventSequenceAllocator } from './event-sequence-allocator.ts';

/** Of the events that the reserve has no room for. */
const MOST_IN_MEMORY = 5_000;

/** Adds the numbers of the events to the ranges, in place. */
const extendRanges = (ranges: LostSequenceRange[], events: readonly DeviceEvent[]): LostSequenceRange[] => {
  for (const { sequence, occurred_at: at, epoch } of events) {
    const before = ranges.at(-1);
    if (before?.last === sequence - 1 && before.epoch === (epoch ?? undefined))
      ranges[ranges.length - 1] = { ...before, last: sequence, to: at };
    else ranges.push({ first: sequence, last: sequence, from: at, to: at, ...(epoch == null ? {} : { epoch }) });
  }
  return ranges;
};

/**
 * Events that could not be written to the event file. They wait in memory and, as long as it has room, in the reserve on
 * the disk. Their numbers are saved, so that a loss is known at the next start.
 */
export class UnwrittenEvents {
  readonly #reserve: EventReserve;
  readonly #numbers: EventSequenceAllocator;
  readonly #reserved: Set<string>;
  #events: DeviceEvent[];
  /** The numbers of the events. */
  #ranges: LostSequenceRange[];
  #lost: readonly LostSequenceRange[];

  /** `restored`: the events that the previous run left in the reserve. */
  constructor(reserve: EventReserve, numbers: EventSequenceAllocator, restored: readonly DeviceEvent[]) {
    this.#reserve = reserve;
    this.#numbers = numbers;
    this.#events = [...restored];
    this.#ranges = extendRanges([], restored);
    this.#reserved = new Set(restored.map(({ id }) => id));
    this.#lost = numbers.unreported;
  }

  get all(): readonly DeviceEvent[] {
    return this.#events;
  }

  add(events: readonly DeviceEvent[]): void {
    this.#events.push(...events);
    extendRanges(this.#ranges, events);
    if (this.#reserve.append(events)) for (const { id } of events) this.#reserved.add(id);
    else this.#dropOldest();
    this.#saveNumbers();
  }

  #dropOldest(): void {
    let excess = this.#events.length - this.#reserved.size - MOST_IN_MEMORY;
    if (excess <= 0) return;
    const isDropped = ({ id }: DeviceEvent): boolean => !this.#reserved.has(id) && excess-- > 0;
    const { dropped = [], kept = [] } = Object.groupBy(this.#events, event => (isDropped(event) ? 'dropped' : 'kept'));
    this.#setEvents(kept);
    this.#lost = mergeLostRanges([...this.#lost, ...extendRanges([], dropped)]);
  }

  #setEvents(events: DeviceEvent[]): void {
    this.#events = events;
    this.#ranges = extendRanges([], events);
  }

  /** They are in the event file, or the bridge has them. */
  remove(isDone: (event: DeviceEvent) => boolean): void {
    const remaining = this.#events.filter(event => !isDone(event));
    if (remaining.length === this.#events.length) return;
    for (const event of this.#events) if (isDone(event)) this.#reserved.delete(event.id);
    this.#setEvents(remaining);
    if (remaining.length === 0) this.#reserve.clear();
    this.#saveNumbers();
  }

  renumber(): void {
    const { epoch } = this.#numbers;
    this.#setEvents(this.#events.map(event => ({ ...event, sequence: this.#numbers.next(), epoch })));
    this.#saveNumbers();
  }

  /** Events that are lost unless they are in the event file after all: a crash followed their write. */
  get lost(): readonly LostSequenceRange[] {
    return this.#lost;
  }

  lossReported(): void {
    this.#lost = [];
    this.#saveNumbers();
  }

  clear(): void {
    this.#setEvents([]);
    this.#lost = [];
    this.#reserved.clear();
    this.#reserve.clear();
    this.#saveNumbers();
  }

  #saveNumbers(): void {
    this.#numbers.setUnreported([...this.#lost, ...this.#ranges]);
  }
}
