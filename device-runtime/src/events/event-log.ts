import { type Instant, instant, formatInstant } from '@lintel/access-core/instant';
import { createIdGenerator } from '@lintel/access-core/ids';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { type EventStore, EventStoreError, type LostSequenceRange } from '@lintel/event-store/event-store-interface';
import type { Log } from '@lintel/service/log-function-type';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { ControllerFaultRegistry } from '../faults/controller-fault-registry.ts';
import type { DiskSpaceMonitor } from '../faults/disk-space-monitor.ts';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { EventReserve } from '@lintel/event-store/event-reserve-interface';
import type { EventSequenceAllocator } from './event-sequence-allocator.ts';
import type { UnwrittenEvents } from './unwritten-events.ts';

/** An event without id and sequence. `occurred_at` defaults to now. */
export type EventDraft = Omit<DeviceEvent, 'id' | 'sequence' | 'epoch' | 'occurred_at' | 'time_trusted'> & {
  readonly occurred_at?: Instant;
};

const BATCH = 500;

const describeLoss = ({ first, last, from, to, isAtMost }: LostSequenceRange): string => {
  const when =
    from === null || to === null ? '' : ` from ${formatInstant(instant(from))} to ${formatInstant(instant(to))}`;
  return `${isAtMost === true ? 'at most ' : ''}${last - first + 1} events${when} were lost`;
};

export interface EventLogDependencies {
  readonly store: EventStore;
  readonly numbers: EventSequenceAllocator;
  readonly unwritten: UnwrittenEvents;
  readonly reserve: Pick<EventReserve, 'allocate'>;
  readonly disk: Pick<DiskSpaceMonitor, 'isAlmostFull'>;
  readonly state: ControllerStateStore;
  readonly clock: WallClock;
  readonly faults: ControllerFaultRegistry;
  readonly log: Log;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Called with every event after it was written. */
  readonly onRecorded: (event: DeviceEvent) => void;
  /** Called when older events wait again: recovered from a damaged file, or requested by the bridge. */
  readonly onOlderEventsWaiting: () => void;
}

/**
 * Writes events before their actions take effect. When the disk fails, events wait in memory and in the reserve, and a
 * fault is raised. Lost events are reported as a gap.
 */
export class EventLog {
  readonly #parts: EventLogDependencies;
  readonly #newId: ReturnType<typeof createIdGenerator>;
  #nextStep: 'nothing' | 'retry' | 'recover' = 'nothing';
  #resendFrom: unknown;

  constructor(parts: EventLogDependencies) {
    this.#parts = parts;
    this.#resendFrom = parts.state.read('resend_events');
    this.#newId = createIdGenerator(() => parts.clock.now(), parts.randomBytes);
  }

  /** The event is on the disk when it returns, or in memory with a fault. */
  record(...drafts: readonly EventDraft[]): readonly DeviceEvent[] {
    const events = drafts.map(draft => this.#identify(draft));
    if (this.#parts.unwritten.all.length > 0) this.#parts.unwritten.add(events);
    else this.#append(events);
    for (const event of events) this.#parts.onRecorded(event);
    return events;
  }

  #identify(draft: EventDraft): DeviceEvent {
    const { clock, numbers } = this.#parts;
    const sequence = numbers.next();
    const { occurred_at = clock.now() } = draft;
    const { epoch } = numbers;
    return { ...draft, id: this.#newId('event'), sequence, epoch, occurred_at, time_trusted: clock.isTrusted() };
  }

  #append(events: readonly DeviceEvent[]): void {
    try {
      this.#parts.store.append(events);
      this.#clearFault();
    } catch (error) {
      // Into memory first: raising the fault records another event, which must follow.
      this.#parts.unwritten.add(events);
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

  inMemory(): readonly DeviceEvent[] {
    return this.#parts.unwritten.all;
  }

  confirmed(ids: ReadonlySet<string>): void {
    this.#parts.unwritten.remove(({ id }) => ids.has(id));
  }

  /** Uploads the events from this number on again, also the confirmed ones. Continues after a restart. */
  resend(from: number): void {
    this.#setResendFrom(from);
  }

  #setResendFrom(from: number | null): void {
    if (from === this.#resendFrom) return;
    this.#resendFrom = from;
    this.#parts.state.write('resend_events', from);
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
    const { store, numbers, unwritten, log, faults } = this.#parts;
    this.#tryToWriteWaitingEvents();
    const waiting = store.waitingCount() + unwritten.all.length;
    unwritten.clear();
    if (this.#resendFrom !== undefined) this.#setResendFrom(null);
    numbers.abandon();
    try {
      store.archive();
    } catch (error) {
      this.#raiseFault(error);
    }
    numbers.startAfter(store.lastSequence());
    log('warn', 'The controller has a new owner. Earlier events are archived', { waiting });
    faults.raise('claimed_again', `Data of the previous owner was deleted, and ${waiting} events were archived`);
    faults.clear('claimed_again');
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
      const { store, numbers, clock, unwritten, reserve, disk } = this.#parts;
      if (unwritten.all.length > 0) return false;
      const now = clock.now();
      numbers.reserve(store.confirmedUpTo(), now);
      this.#reportLoss();
      const tidied = store.tidy({ now, isDiskAlmostFull: disk.isAlmostFull });
      return [tidied, this.#keepWithinLimits(), this.#salvage(), this.#requeue(), reserve.allocate()].includes(true);
    } catch (error) {
      this.#raiseFault(error);
      return false;
    }
  }

  #writeWaitingEvents(): void {
    const { store, unwritten } = this.#parts;
    if (this.#nextStep === 'recover') {
      store.recover();
      this.#nextStep = 'retry';
    }
    this.#parts.numbers.startAfter(store.lastSequence());
    this.#renumber();
    while (unwritten.all.length > 0) {
      const group = new Set(unwritten.all.slice(0, BATCH));
      store.append([...group]);
      unwritten.remove(event => group.has(event));
      this.#clearFault();
    }
  }

  /** A new file starts above the numbers of the damaged file. A crash may have followed the write of waiting events. */
  #renumber(): void {
    const { store, unwritten } = this.#parts;
    const last = store.lastSequence();
    unwritten.remove(event => event.sequence <= last && store.contains(event));
    const [first] = unwritten.all;
    if (first !== undefined && first.sequence <= last) unwritten.renumber();
  }

  #reportLoss(): void {
    const { store, unwritten } = this.#parts;
    if (unwritten.lost.length === 0) return;
    const missing = unwritten.lost.flatMap(range =>
      store.missing(range.first, range.last).map(([first, last]) => ({ ...range, first, last })),
    );
    this.#recordGaps(missing);
    // If the gap could not be written, it is in memory, and the loss is still saved.
    if (unwritten.all.length === 0) unwritten.lossReported();
  }

  #requeue(): boolean {
    if (typeof this.#resendFrom !== 'number') return false;
    if (this.#parts.store.requeue(this.#resendFrom)) return true;
    this.#setResendFrom(null);
    this.#parts.onOlderEventsWaiting();
    return false;
  }

  #gapDraft(range: LostSequenceRange): EventDraft {
    const { first, last, from, to, epoch } = range;
    const lost = { first, last, from, to, ...(epoch === undefined ? {} : { epoch }) };
    return { kind: 'gap', lost, fault: describeLoss(range) };
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
    this.#parts.onOlderEventsWaiting();
    return false;
  }
}
