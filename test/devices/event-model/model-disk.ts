import { SequenceRangeSet, toSequenceRanges, type SequenceRange } from '@lintel/access-core/sequence-ranges';
import { KeyValueStoreError } from '@lintel/service/data-folder/key-value-store-interface';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { EventReserve } from '@lintel/event-store/event-reserve-interface';
import { EventStoreError, type EventStore } from '@lintel/event-store/event-store-interface';
import type { ControllerStateKey, ControllerStateStore } from '@lintel/device-runtime/testing';

interface Row {
  readonly event: DeviceEvent;
  isConfirmed: boolean;
}

/**
 * What a controller's disk contains: the event file, the reserve, and the state. `full`: only space that is already
 * allocated can be written. `failed`: nothing can be written.
 */
export class ModelDisk {
  mode: 'working' | 'full' | 'failed' = 'working';
  rows: Row[] = [];
  reserved: DeviceEvent[] = [];
  saved: Partial<Record<ControllerStateKey, string>> = {};

  readonly state: ControllerStateStore = {
    read: key => (this.saved[key] === undefined ? undefined : JSON.parse(this.saved[key])),
    write: (key, value) => {
      const isInPlace = key === 'sequence_ceiling';
      if (this.mode === 'failed' || (this.mode === 'full' && !isInPlace)) throw new KeyValueStoreError(key);
      this.saved[key] = JSON.stringify(value);
    },
  };

  /** With room for one event. */
  createReserve(): EventReserve {
    let isExhausted = false;
    return {
      append: events => {
        isExhausted ||= this.mode === 'failed' || this.reserved.length + events.length > 1;
        if (!isExhausted) this.reserved.push(...events);
        return !isExhausted;
      },
      read: () => [...this.reserved],
      clear: () => {
        if (this.mode === 'failed') return;
        this.reserved = [];
        isExhausted = false;
      },
      allocate: () => false,
    };
  }

  readonly store: EventStore = {
    append: events => {
      if (this.mode !== 'working') throw new EventStoreError(this.mode);
      this.rows.push(...events.map(event => ({ event, isConfirmed: false })));
    },
    lastSequence: () => this.rows.at(-1)?.event.sequence ?? 0,
    read: (after, upTo, limit) =>
      this.#waiting()
        .filter(({ sequence }) => sequence > after && sequence <= upTo)
        .slice(0, limit),
    contains: ({ id }) => this.rows.some(({ event }) => event.id === id),
    missing: (first, last): SequenceRange[] =>
      new SequenceRangeSet(toSequenceRanges(this.rows.map(({ event }) => event.sequence))).missing([first, last]),
    acknowledge: sequences => {
      if (this.mode === 'failed') throw new EventStoreError('failed');
      for (const row of this.rows) row.isConfirmed ||= sequences.includes(row.event.sequence);
    },
    confirmedUpTo: () => (this.#waiting()[0]?.sequence ?? this.store.lastSequence() + 1) - 1,
    highestConfirmed: () => 0,
    requeue: () => false,
    waitingCount: () => this.#waiting().length,
    newest: () => [],
    isOverfull: () => false,
    makeRoom: () => undefined,
    tidy: () => false,
    recover: () => {
      if (this.mode !== 'working') throw new EventStoreError(this.mode);
    },
    salvage: () => null,
    archive: () => undefined,
    close: () => undefined,
  };

  #waiting(): DeviceEvent[] {
    return this.rows.filter(({ isConfirmed }) => !isConfirmed).map(({ event }) => event);
  }
}
