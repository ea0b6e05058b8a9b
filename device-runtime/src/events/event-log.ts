import { type Instant, instant, formatInstant } from '@lintel/access-core/instant';
import { createIdGenerator } from '@lintel/access-core/ids';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { type EventStore, EventStoreError, type LostSequenceRange } from './event-store.ts';
import type { Log } from '@lintel/service/log';
import type { WallClock } from '../clock/wall-clock.ts';
import type { ControllerFaults } from '../faults/controller-faults.ts';
import type { SequenceNumbers } from './sequence-numbers.ts';

/** An event without id and sequence. `occurred_at` defaults to now. */
export type EventDraft = Omit<DeviceEvent, 'id' | 'sequence' | 'occurred_at' | 'time_trusted'> & {
  readonly occurred_at?: Instant;
};

const MOST_IN_MEMORY = 5_000;
const BATCH = 500;

const describeLoss = ({ first, last, from, to, isAtMost }: LostSequenceRange): string => {
  const when =
    from === null || to === null ? '' : ` from ${formatInstant(instant(from))} to ${formatInstant(instant(to))}`;
  return `${isAtMost === true ? 'at most ' : ''}${last - first + 1} events${when} were lost`;
};

export interface EventLogDependencies {
  readonly store: EventStore;
  readonly numbers: SequenceNumbers;
  readonly clock: WallClock;
  readonly faults: ControllerFaults;
  readonly log: Log;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Called with every event after it was written. */
  readonly onRecorded: (event: DeviceEvent) => void;
  /** Called when older events were recovered from a damaged file. */
  readonly onSalvaged: () => void;
}

/**
 * Writes events before their actions take effect. When the disk fails, events wait in memory and a fault is raised.
 * Events that exceed the memory limit are counted and reported as a gap.
 */
export class EventLog {
  readonly #parts: EventLogDependencies;
  readonly #newId: ReturnType<typeof createIdGenerator>;
  #inMemory: DeviceEvent[] = [];
  #lost: LostSequenceRange[] = [];
  #nextStep: 'nothing' | 'retry' | 'recover' = 'nothing';

  constructor(parts: EventLogDependencies) {
    this.#parts = parts;
    this.#newId = createIdGenerator(() => parts.clock.now(), parts.randomBytes);
  }

  /** The event is on the disk when it returns, or in memory with a fault. */
  record(...drafts: readonly EventDraft[]): readonly DeviceEvent[] {
    const events = drafts.map(draft => this.#identify(draft));
    if (this.#inMemory.length > 0) this.#keepInMemory(events);
    else this.#append(events);
    for (const event of events) this.#parts.onRecorded(event);
    return events;
  }

  #identify(draft: EventDraft): DeviceEvent {
    const { clock, numbers } = this.#parts;
    const sequence = numbers.next();
    const { occurred_at = clock.now() } = draft;
    return { ...draft, id: this.#newId('event'), sequence, occurred_at, time_trusted: clock.isTrusted() };
  }

  #append(events: readonly DeviceEvent[]): void {
    try {
      this.#parts.store.append(events);
      this.#clearFault();
    } catch (error) {
      // Into memory first: raising the fault records another event, which must follow.
      this.#keepInMemory(events);
      this.#raiseFault(error);
    }
  }

  #raiseFault(error: unknown): void {
    if (!(error instanceof EventStoreError)) throw error;
    this.#nextStep = error.kind === 'full' ? 'retry' : 'recover';
    this.#parts.faults.raise('event_store', `${error.message}. Events wait in memory`);
  }

  /** Only a successful write proves that the disk works again. */
  #clearFault(): void {
    if (this.#nextStep === 'nothing') return;
    this.#nextStep = 'nothing';
    this.#parts.faults.clear('event_store');
  }

  #keepInMemory(events: readonly DeviceEvent[]): void {
    this.#inMemory.push(...events);
    const excess = this.#inMemory.splice(0, Math.max(0, this.#inMemory.length - MOST_IN_MEMORY));
    for (const { sequence, occurred_at } of excess) this.#addLost(sequence, occurred_at);
  }

  #addLost(sequence: number, at: Instant): void {
    const before = this.#lost.at(-1);
    if (before?.last !== sequence - 1) this.#lost.push({ first: sequence, last: sequence, from: at, to: at });
    else this.#lost[this.#lost.length - 1] = { ...before, last: sequence, to: at };
  }

  inMemory(): readonly DeviceEvent[] {
    return this.#inMemory;
  }

  confirmed(ids: ReadonlySet<string>): void {
    if (this.#inMemory.length > 0) this.#inMemory = this.#inMemory.filter(({ id }) => !ids.has(id));
  }

  /** Called after recorded actions took effect. */
  reserveNumbers(): void {
    this.#parts.numbers.reserveIfLow();
  }

  /** At a clean stop: saves the exact sequence numbers. */
  flush(): void {
    this.maintain();
    this.#parts.numbers.saveExact(this.#parts.store.confirmedUpTo());
  }

  /** For a new owner: keeps earlier events on disk, but does not upload them. */
  archiveEvents(): void {
    const { store, numbers, log, faults } = this.#parts;
    this.#tryToWriteWaitingEvents();
    const waiting = store.waitingCount() + this.#inMemory.length;
    this.#inMemory = [];
    this.#lost = [];
    numbers.abandon();
    try {
      store.archive();
    } catch (error) {
      this.#raiseFault(error);
    }
    numbers.startAfter(store.lastSequence());
    log('warn', 'The controller has a new owner. Earlier events are archived', { waiting });
    faults.raise('claimed_anew', `Data of the previous owner was deleted, and ${waiting} events were archived`);
    faults.clear('claimed_anew');
  }

  #tryToWriteWaitingEvents(): void {
    try {
      this.#writeWaitingEvents();
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
    }
  }

  /** Work for idle times. True when there is more. */
  maintain(): boolean {
    try {
      this.#writeWaitingEvents();
      if (this.#inMemory.length > 0) return false;
      this.#parts.numbers.reserve(this.#parts.store.confirmedUpTo(), this.#parts.clock.now());
      this.#recordGaps(this.#lost.splice(0));
      return [this.#keepWithinLimits(), this.#salvage(), this.#parts.store.tidy()].includes(true);
    } catch (error) {
      this.#raiseFault(error);
      return false;
    }
  }

  #writeWaitingEvents(): void {
    const { store } = this.#parts;
    if (this.#nextStep === 'recover') {
      store.recover();
      this.#nextStep = 'retry';
      this.#renumber();
    }
    while (this.#inMemory.length > 0) {
      const group = this.#inMemory.slice(0, BATCH);
      store.append(group);
      this.#inMemory.splice(0, group.length);
      this.#clearFault();
    }
  }

  /** A new file starts above the numbers of the damaged file, and so do waiting events. */
  #renumber(): void {
    const { store, numbers } = this.#parts;
    const last = store.lastSequence();
    numbers.startAfter(last);
    const [first] = this.#inMemory;
    if (first === undefined || first.sequence > last) return;
    this.#inMemory = this.#inMemory.map(event => ({ ...event, sequence: numbers.next() }));
  }

  #gapDraft(range: LostSequenceRange): EventDraft {
    const { first, last, from, to } = range;
    return { kind: 'gap', lost: { first, last, from, to }, fault: describeLoss(range) };
  }

  #recordGaps(lost: readonly LostSequenceRange[]): void {
    if (lost.length > 0) this.record(...lost.map(range => this.#gapDraft(range)));
  }

  #keepWithinLimits(): boolean {
    const { store, faults } = this.#parts;
    if (!store.isOverfull()) {
      faults.clear('event_buffer_full');
      return false;
    }
    store.makeRoom(lost => {
      faults.raise('event_buffer_full', 'The event store is full. The oldest events are deleted');
      return lost.map(range => this.#identify(this.#gapDraft(range)));
    });
    return true;
  }

  #salvage(): boolean {
    const report = this.#parts.store.salvage();
    if (report === null) return false;
    this.#parts.faults.raise('event_file_damaged', 'The event file was damaged. Readable events are being recovered');
    this.#recordGaps(report.lost);
    if (!report.done) return true;
    this.#parts.faults.clear('event_file_damaged');
    this.#parts.onSalvaged();
    return false;
  }
}
