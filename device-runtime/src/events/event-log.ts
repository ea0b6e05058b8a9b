import { type Instant, instant, formatInstant } from '@lintel/access-core/instant';
import { createIdGenerator } from '@lintel/access-core/ids';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { Log } from '@lintel/service/log-function-type';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { ControllerFaultRegistry } from '../faults/controller-fault-registry.ts';
import type { DiskSpaceMonitor } from '../faults/disk-space-monitor.ts';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { EventSequenceAllocator } from './event-sequence-allocator.ts';
import { type EventStore, EventStoreError } from './event-store.ts';
import type { LostSequenceRange } from './lost-ranges.ts';
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
  readonly store: Pick<EventStore, keyof EventStore>;
  readonly numbers: EventSequenceAllocator;
  readonly unwritten: UnwrittenEvents;
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
 * Writes events before their actions take effect. When the disk fails, events wait in memory, and a fault is raised. Lost
 * events are reported as a gap.
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
    if (this.#parts.unwritten.all.length > 0) this.#keepInMemory(events);
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
      this.#parts.numbers.recorded({ isStored: true });
      this.#clearFault();
    } catch (error) {
      // Into memory first: raising the fault records another event, which must follow.
      this.#keepInMemory(events);
      this.#raiseFault(error);
    }
  }

  #keepInMemory(events: readonly DeviceEvent[]): void {
    this.#parts.unwritten.add(events);
    this.#parts.numbers.recorded({ isStored: false });
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

  /** The bridge has committed these events. */
  confirmed(ids: ReadonlySet<string>): void {
    this.#parts.unwritten.confirm(ids);
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

  /** The result of reading events for the upload. */
  onRead(error: EventStoreError | null): void {
    const { faults } = this.#parts;
    if (error === null) faults.clear('event_store:read');
    else if (error.kind === 'failed' && this.#nextStep === 'nothing')
      faults.raise('event_store:read', 'Stored events cannot be read. They are kept, and sent when they can be read');
  }

  /** Work for idle times. True when there is more. */
  maintain(): boolean {
    try {
      this.#writeWaitingEvents();
      const { store, numbers, clock, unwritten, disk } = this.#parts;
      if (unwritten.all.length > 0) return false;
      const now = clock.now();
      numbers.reserve(store.confirmedUpTo(), now);
      const tidied = store.tidy({ now, isDiskAlmostFull: disk.isAlmostFull });
      return [tidied, this.#keepWithinLimits(), this.#salvage(), this.#requeue()].includes(true);
    } catch (error) {
      this.#raiseFault(error);
      return false;
    }
  }

  #writeWaitingEvents(): void {
    const { store, unwritten, numbers } = this.#parts;
    if (this.#nextStep === 'recover') {
      store.recover();
      this.#nextStep = 'retry';
    }
    numbers.startAfter(store.lastSequence());
    this.#removeStored();
    while (unwritten.all.length > 0) {
      const group = unwritten.all.slice(0, BATCH);
      store.append(group);
      unwritten.remove(new Set(group));
      this.#clearFault();
    }
    if (unwritten.settled.length > 0) store.acknowledge(unwritten.settled);
    const { lost } = unwritten;
    unwritten.saved();
    this.#recordGaps(lost);
  }

  /** A crash may have followed the write of waiting events. Without its state, a controller may have used a number again. */
  #removeStored(): void {
    const { store, unwritten, numbers } = this.#parts;
    const found = unwritten.all.map(event => ({ event, place: store.find(event) }));
    unwritten.remove(new Set(found.flatMap(({ event, place }) => (place === 'stored' ? [event] : []))));
    if (found.some(({ place }) => place === 'taken'))
      unwritten.renumber(() => ({ sequence: numbers.next(), epoch: numbers.epoch }));
  }

  #requeue(): boolean {
    if (typeof this.#resendFrom !== 'number') return false;
    if (this.#parts.store.requeue(this.#resendFrom)) return true;
    this.#setResendFrom(null);
    this.#parts.onOlderEventsWaiting();
    return false;
  }

  #gapDraft(range: LostSequenceRange): EventDraft {
    const { first, last, from, to, epoch, isAtMost } = range;
    const known = { first, last, from, to, ...(epoch === undefined ? {} : { epoch }) };
    const lost = isAtMost === true ? { ...known, at_most: true } : known;
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
    const { store, faults, onOlderEventsWaiting } = this.#parts;
    const report = store.salvage();
    if (report?.isRecovering === true) {
      faults.raise('event_file_damaged', 'The event file was damaged. Readable events are being recovered');
      return true;
    }
    if (faults.has('event_file_damaged')) {
      faults.clear('event_file_damaged');
      onOlderEventsWaiting();
    }
    this.#recordGaps(report?.lost ?? []);
    return false;
  }
}
