import { SequenceRangeSet, toSequenceRanges } from '@lintel/access-core/sequence-ranges';
import { KeyValueStoreError } from '@lintel/service/data-folder/key-value-store-interface';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import {
  type ControllerStateKey,
  type ControllerStateStore,
  type EventStore,
  EventStoreError,
  type EventNumber,
  type LastEventNumber,
  readSavedEventNumbering,
  type UnwrittenCopy,
} from '@lintel/device-runtime/testing';

interface Row {
  readonly event: DeviceEvent;
  isConfirmed: boolean;
}

/**
 * What a controller's disk contains: the event file, the last number and the state; and the copy in memory. `full`: only
 * space that is already allocated can be written. `failed`: nothing can be written.
 */
export class ModelDisk {
  mode: 'working' | 'full' | 'failed' = 'working';
  rows: Row[] = [];
  /** Numbers that need no row. */
  settled = new SequenceRangeSet();
  copied: DeviceEvent[] = [];
  number: EventNumber | null = null;
  saved: Partial<Record<ControllerStateKey, string>> = {};

  readonly state: ControllerStateStore = {
    read: key => (this.saved[key] === undefined ? undefined : JSON.parse(this.saved[key])),
    write: (key, value) => {
      const isInPlace = key === 'sequence_ceiling';
      if (this.mode === 'failed' || (this.mode === 'full' && !isInPlace)) throw new KeyValueStoreError(key);
      this.saved[key] = JSON.stringify(value);
    },
  };

  readonly lastNumber: LastEventNumber = {
    read: () => this.number,
    write: number => {
      if (this.mode !== 'failed') this.number = number;
    },
  };

  readonly copy: UnwrittenCopy = {
    read: () => [...this.copied],
    append: events => void this.copied.push(...events),
    clear: () => {
      this.copied = [];
    },
  };

  #last(): number {
    return Math.max(0, this.rows.at(-1)?.event.sequence ?? 0, this.settled.ranges.at(-1)?.[1] ?? 0);
  }

  #stored(): SequenceRangeSet {
    return new SequenceRangeSet(toSequenceRanges(this.rows.map(({ event }) => event.sequence)));
  }

  /** As the event store of the next process. */
  openStore(): Pick<EventStore, keyof EventStore> {
    const { lastUsed, ceiling, isExact, lastEpoch } = readSavedEventNumbering(this.state, this.lastNumber, this.copied);
    const highest = Math.max(this.#last(), lastUsed);
    if (!isExact && highest < ceiling) this.settled.add([highest + 1, ceiling]);
    return {
      append: events => {
        if (this.mode !== 'working') throw new EventStoreError(this.mode);
        this.rows.push(...events.map(event => ({ event, isConfirmed: false })));
        this.rows.sort((a, b) => a.event.sequence - b.event.sequence);
        for (const { lost } of events) if (lost != null) this.settled.add([lost.first, lost.last]);
      },
      lastSequence: () => this.#last(),
      read: (after, upTo, limit) =>
        this.#waiting()
          .filter(({ sequence }) => sequence > after && sequence <= upTo)
          .slice(0, limit),
      find: ({ id, sequence }) => {
        const row = this.rows.find(({ event }) => event.sequence === sequence);
        if (row !== undefined) return row.event.id === id ? 'stored' : 'taken';
        return this.settled.hasAll([sequence, sequence]) ? 'stored' : 'missing';
      },
      acknowledge: sequences => {
        if (this.mode === 'failed') throw new EventStoreError('failed');
        for (const row of this.rows) row.isConfirmed ||= sequences.includes(row.event.sequence);
        for (const range of toSequenceRanges(sequences)) this.settled.add(range);
      },
      confirmedUpTo: () => (this.#waiting()[0]?.sequence ?? this.#last() + 1) - 1,
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
      salvage: () => {
        const lost = this.settled
          .missing([1, Math.max(this.#last(), lastUsed)])
          .flatMap(range => this.#stored().missing(range))
          .map(([first, last]) => ({
            first,
            last,
            from: null,
            to: null,
            ...(lastEpoch !== undefined && last === lastUsed ? { epoch: lastEpoch } : {}),
          }));
        return lost.length === 0 ? null : { isRecovering: false, lost };
      },
      archive: () => undefined,
      close: () => undefined,
    };
  }

  #waiting(): DeviceEvent[] {
    return this.rows.filter(({ isConfirmed }) => !isConfirmed).map(({ event }) => event);
  }
}
