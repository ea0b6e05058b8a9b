import { type Instant, instant, formatInstant } from '@lintel/access-core/instant';
import { idSource } from '@lintel/access-core/ids';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { type EventStore, EventStoreError, type LostRange } from './event-store.ts';
import type { Log } from '@lintel/service/log';
import type { WallClock } from '../clock/wall-clock.ts';
import type { ControllerFaults } from '../faults/fault-registry.ts';
import type { SequenceNumbers } from './sequence-numbers.ts';

/** An event before it has an identity. Without `occurred_at` it happens now. */
export type EventDraft = Omit<DeviceEvent, 'id' | 'sequence' | 'occurred_at' | 'time_trusted'> & {
  readonly occurred_at?: Instant;
};

const MOST_IN_MEMORY = 5_000;
const GROUP = 500;

const inWords = ({ first, last, from, to, isAtMost }: LostRange): string => {
  const when =
    from === null || to === null ? '' : ` from ${formatInstant(instant(from))} to ${formatInstant(instant(to))}`;
  return `${isAtMost === true ? 'at most ' : ''}${last - first + 1} events${when} could not be kept`;
};

export interface EventLogParts {
  readonly store: EventStore;
  readonly numbers: SequenceNumbers;
  readonly clock: WallClock;
  readonly faults: ControllerFaults;
  readonly log: Log;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Told of every event after it was written. */
  readonly recorded: (event: DeviceEvent) => void;
  /** Older events have come back out of a damaged file. */
  readonly salvaged: () => void;
}

/**
 * Writes what happens before it takes effect. When the disk does not take it, the event waits in memory and the fault
 * is told; what does not fit there either is counted and becomes a gap record. Nothing is both lost and silent.
 */
export class EventLog {
  readonly #parts: EventLogParts;
  readonly #newId: ReturnType<typeof idSource>;
  #inMemory: DeviceEvent[] = [];
  #lost: LostRange[] = [];
  #wants: 'nothing' | 'retry' | 'recover' = 'nothing';

  constructor(parts: EventLogParts) {
    this.#parts = parts;
    this.#newId = idSource(() => parts.clock.now(), parts.randomBytes);
  }

  /** On the disk when it returns, or in memory with the fault told. */
  record(...drafts: readonly EventDraft[]): readonly DeviceEvent[] {
    const events = drafts.map(draft => this.#identify(draft));
    if (this.#inMemory.length > 0) this.#keepInMemory(events);
    else this.#append(events);
    for (const event of events) this.#parts.recorded(event);
    return events;
  }

  #identify(draft: EventDraft): DeviceEvent {
    const { clock, numbers } = this.#parts;
    const sequence = numbers.next();
    const { occurred_at = clock.now() } = draft;
    return { ...draft, id: this.#newId('event'), sequence, occurred_at, time_trusted: clock.trusted() };
  }

  #append(events: readonly DeviceEvent[]): void {
    try {
      this.#parts.store.append(events);
      this.#works();
    } catch (error) {
      // First into memory: telling the fault is an event too, and comes after it.
      this.#keepInMemory(events);
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    if (!(error instanceof EventStoreError)) throw error;
    this.#wants = error.kind === 'full' ? 'retry' : 'recover';
    this.#parts.faults.raise('event_store', `${error.message}: events wait in memory`);
  }

  /** Only something that was written shows that the disk takes it again. */
  #works(): void {
    if (this.#wants === 'nothing') return;
    this.#wants = 'nothing';
    this.#parts.faults.clear('event_store');
  }

  #keepInMemory(events: readonly DeviceEvent[]): void {
    this.#inMemory.push(...events);
    const excess = this.#inMemory.splice(0, Math.max(0, this.#inMemory.length - MOST_IN_MEMORY));
    for (const { sequence, occurred_at } of excess) this.#lose(sequence, occurred_at);
  }

  #lose(sequence: number, at: Instant): void {
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

  /** Once what was recorded has taken effect. */
  tookEffect(): void {
    this.#parts.numbers.keepAhead();
  }

  /** The door stops: what is remembered of the numbers is exact from here on. */
  settle(): void {
    this.maintain();
    this.#parts.numbers.settle(this.#parts.store.confirmedUpTo());
  }

  /** What happened so far is of no concern to whom the controller belongs to now: it is kept, and told to nobody. */
  leaveBehind(): void {
    const { store, numbers, log, faults } = this.#parts;
    this.#tryToWrite();
    const waiting = store.waiting() + this.#inMemory.length;
    this.#inMemory = [];
    this.#lost = [];
    numbers.disown();
    try {
      store.leaveBehind();
    } catch (error) {
      this.#failed(error);
    }
    numbers.startAfter(store.lastSequence());
    log('warn', 'the controller belongs to somebody else now: earlier events are set aside', { waiting });
    faults.raise('claimed_anew', `what it knew before is thrown away, and ${waiting} events are set aside`);
    faults.clear('claimed_anew');
  }

  #tryToWrite(): void {
    try {
      this.#writeWhatWaited();
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
    }
  }

  /** What can wait until the door has nothing to do. True when there is more of it. */
  maintain(): boolean {
    try {
      this.#writeWhatWaited();
      if (this.#inMemory.length > 0) return false;
      this.#parts.numbers.reserve(this.#parts.store.confirmedUpTo(), this.#parts.clock.now());
      this.#tellGaps(this.#lost.splice(0));
      return [this.#keepWithinLimits(), this.#salvage(), this.#parts.store.tidy()].includes(true);
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  #writeWhatWaited(): void {
    const { store } = this.#parts;
    if (this.#wants === 'recover') {
      store.recover();
      this.#wants = 'retry';
      this.#renumber();
    }
    while (this.#inMemory.length > 0) {
      const group = this.#inMemory.slice(0, GROUP);
      store.append(group);
      this.#inMemory.splice(0, group.length);
      this.#works();
    }
  }

  /** A new file begins above the numbers of the damaged one, and so do the events that waited for it. */
  #renumber(): void {
    const { store, numbers } = this.#parts;
    const last = store.lastSequence();
    numbers.startAfter(last);
    const [first] = this.#inMemory;
    if (first === undefined || first.sequence > last) return;
    this.#inMemory = this.#inMemory.map(event => ({ ...event, sequence: numbers.next() }));
  }

  #gapDraft(range: LostRange): EventDraft {
    const { first, last, from, to } = range;
    return { kind: 'gap', lost: { first, last, from, to }, fault: inWords(range) };
  }

  #tellGaps(lost: readonly LostRange[]): void {
    if (lost.length > 0) this.record(...lost.map(range => this.#gapDraft(range)));
  }

  #keepWithinLimits(): boolean {
    const { store, faults } = this.#parts;
    if (!store.isOverfull()) {
      faults.clear('event_buffer_full');
      return false;
    }
    store.makeRoom(lost => {
      faults.raise('event_buffer_full', 'the event buffer is full: the oldest events make room for new ones');
      return lost.map(range => this.#identify(this.#gapDraft(range)));
    });
    return true;
  }

  #salvage(): boolean {
    const report = this.#parts.store.salvage();
    if (report === null) return false;
    this.#parts.faults.raise('event_file_damaged', 'the event file was damaged; what can be read is being moved');
    this.#tellGaps(report.lost);
    if (!report.done) return true;
    this.#parts.faults.clear('event_file_damaged');
    this.#parts.salvaged();
    return false;
  }
}
