import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import {
  type EventStore,
  EventStoreFailure,
  type LostRange,
  type SalvageReport,
  type SequenceMemory,
} from '../../ports/event-store.ts';
import { filesSetAside, Salvage, setAside } from './event-salvage.ts';
import { type EventLimits, EventTable } from './event-table.ts';
import { isDamage, isFull } from './open-database.ts';

const defaultLimits: EventLimits = { maxEvents: 5_000_000, diskBudget: 3 * 2 ** 30, history: 1_000 };

interface EventBufferOptions extends Partial<EventLimits> {
  readonly file: string;
  readonly remembered: () => SequenceMemory;
}

const failureOf = (error: unknown): EventStoreFailure => {
  const kind = isDamage(error) ? 'damaged' : isFull(error) ? 'full' : 'failed';
  return new EventStoreFailure(kind, { cause: error });
};

/** Events in an SQLite file of their own. A file that cannot be opened makes every call fail, not the start. */
export class EventBuffer implements EventStore {
  readonly #options: EventBufferOptions;
  readonly #limits: EventLimits;
  #table: EventTable | null = null;
  #isDamaged = false;
  #salvage: Salvage | null = null;
  #lost: LostRange[] = [];

  constructor(options: EventBufferOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options };
    try {
      this.recover();
    } catch (error) {
      if (!(error instanceof EventStoreFailure)) throw error;
    }
  }

  #with<T>(work: (table: EventTable) => T): T {
    if (this.#table === null) throw new EventStoreFailure('failed');
    if (this.#isDamaged) throw new EventStoreFailure('damaged');
    try {
      return work(this.#table);
    } catch (error) {
      const failure = failureOf(error);
      this.#isDamaged ||= failure.kind === 'damaged';
      throw failure;
    }
  }

  recover(): void {
    try {
      this.#table?.close();
      this.#table = null;
      if (this.#isDamaged) this.#setAside();
      this.#table = this.#open();
      this.#isDamaged = false;
    } catch (error) {
      throw failureOf(error);
    }
  }

  #open(): EventTable {
    try {
      return this.#opened();
    } catch (error) {
      if (!isDamage(error) && !/no such (?:table|column)/.test(String(error))) throw error;
      this.#setAside();
      return this.#opened();
    }
  }

  #setAside(): void {
    setAside(this.#options.file, this.#options.remembered().ceiling);
  }

  #opened(): EventTable {
    const table = new EventTable(this.#options.file, this.#limits);
    if (!table.isNew) return table;
    const { ceiling, confirmed } = this.#options.remembered();
    table.startAfter(ceiling);
    // Nothing was set aside: the file is simply gone, and with it all that was not confirmed.
    if (filesSetAside(this.#options.file).length === 0 && ceiling > confirmed)
      this.#lost.push({ first: confirmed + 1, last: ceiling, from: null, to: null });
    return table;
  }

  append(events: readonly DeviceEvent[]): void {
    this.#with(table => table.append(events));
  }

  lastSequence(): number {
    return this.#table?.counts.last ?? this.#options.remembered().ceiling;
  }

  read(after: number, upTo: number, limit: number): readonly DeviceEvent[] {
    return this.#with(table => table.read(after, upTo, limit, this.#lost));
  }

  acknowledge(upTo: number, sequences: readonly number[]): void {
    this.#with(table => table.acknowledge(upTo, sequences));
  }

  waiting(): number {
    return this.#table?.waiting ?? 0;
  }

  newest(limit: number): readonly DeviceEvent[] {
    return this.#with(table => table.newest(limit));
  }

  confirmedUpTo(): number {
    return this.#table?.counts.confirmed_up_to ?? this.#options.remembered().confirmed;
  }

  isOverfull(): boolean {
    return this.#with(table => table.isOverfull());
  }

  makeRoom(tell: (lost: readonly LostRange[]) => readonly DeviceEvent[]): void {
    this.#with(table => table.makeRoom(tell));
  }

  tidy(): boolean {
    return this.#with(table => table.tidy());
  }

  salvage(): SalvageReport | null {
    if (this.#table === null) return null;
    const lost = this.#lost.splice(0);
    const [aside] = this.#salvage === null ? filesSetAside(this.#options.file) : [];
    if (aside !== undefined) this.#salvage = new Salvage(aside, this.#options.remembered().confirmed);
    if (this.#salvage === null) return lost.length === 0 ? null : { salvaged: 0, lost, done: true };
    const salvage = this.#salvage;
    const report = this.#with(table => salvage.step(table));
    if (report.done) this.#salvage = null;
    return { ...report, lost: [...lost, ...report.lost] };
  }

  close(): void {
    this.#salvage?.close();
    this.#table?.close();
    this.#table = null;
  }
}
