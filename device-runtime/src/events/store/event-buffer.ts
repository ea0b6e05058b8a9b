import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import {
  type EventStore,
  EventStoreError,
  type LostRange,
  type SalvageReport,
  type SequenceMemory,
} from '../event-store.ts';
import { Salvage } from './event-salvage.ts';
import { type EventLimits, EventTable } from './event-table.ts';
import { filesSetAside, leaveBehind, setAside } from './files-set-aside.ts';
import type { Flush } from './flushed-log.ts';
import { storageErrorKind } from '@lintel/service/sqlite/storage-error';

const defaultLimits: EventLimits = { maxEvents: 5_000_000, diskBudget: 3 * 2 ** 30, history: 1_000 };

interface EventBufferOptions extends Partial<EventLimits> {
  readonly file: string;
  readonly remembered: () => SequenceMemory;
  readonly flush?: Flush;
}

const failureOf = (error: unknown): EventStoreError => new EventStoreError(storageErrorKind(error), { cause: error });

/** A file that a bad sector or a missing table makes useless is replaced too; salvage reads what can be read. */
const isBeyondUse = (error: unknown): boolean =>
  storageErrorKind(error) === 'damaged' ||
  (error as { readonly code?: unknown }).code === 'SQLITE_IOERR_READ' ||
  /no such (?:table|column)/.test(String(error));

/** Events in an SQLite file of their own. A file that cannot be opened makes every call fail, not the start. */
export class EventBuffer implements EventStore {
  readonly #options: EventBufferOptions;
  readonly #limits: EventLimits;
  #table: EventTable | null = null;
  #isDamaged = false;
  #salvage: Salvage | null = null;
  #lost: LostRange[] = [];
  /** Nothing of the file may be used any more, as soon as it can be put out of the way. */
  #isToLeave = false;

  constructor(options: EventBufferOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options };
    try {
      this.recover();
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
    }
  }

  #with<T>(work: (table: EventTable) => T): T {
    if (this.#table === null) throw new EventStoreError('failed');
    if (this.#isDamaged) throw new EventStoreError('damaged');
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
      const lastUsed = this.#table?.counts.last;
      this.#table?.close();
      this.#table = null;
      if (this.#isToLeave) leaveBehind(this.#options.file);
      else if (this.#isDamaged) this.#setAside(lastUsed);
      this.#table = this.#open();
      this.#isDamaged = false;
      this.#isToLeave = false;
    } catch (error) {
      throw failureOf(error);
    }
  }

  #open(): EventTable {
    try {
      return this.#opened();
    } catch (error) {
      if (!isBeyondUse(error)) throw error;
      this.#setAside();
      return this.#opened();
    }
  }

  #setAside(lastUsed?: number): void {
    const { ceiling, isExact } = this.#options.remembered();
    setAside(this.#options.file, {
      lastPossible: lastUsed ?? ceiling,
      isExact: lastUsed !== undefined || isExact === true,
    });
    // The salvage finds them missing again.
    this.#lost = [];
  }

  #opened(): EventTable {
    const { file, remembered, flush } = this.#options;
    const table = new EventTable(file, this.#limits, flush);
    if (!table.isNew) return table;
    const { ceiling, confirmed, isExact } = remembered();
    const aside = filesSetAside(file);
    table.startAfter(Math.max(ceiling, ...aside.map(({ lastPossible }) => lastPossible)));
    // Nothing was set aside: the file is simply gone, and with it all that was not confirmed.
    if (aside.length === 0 && ceiling > confirmed && !this.#isToLeave)
      this.#lost.push({
        first: confirmed + 1,
        last: ceiling,
        from: null,
        to: null,
        ...(isExact === true ? {} : { isAtMost: true }),
      });
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
    const { file, remembered } = this.#options;
    const isSalvaging = this.#salvage !== null || filesSetAside(file).length > 0;
    if (this.#table === null || isSalvaging) return remembered().confirmed;
    // Numbers that were never used keep the stretch from growing, but no event is waiting.
    return this.#table.waiting === 0 ? this.#table.counts.last : this.#table.counts.confirmed_up_to;
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

  leaveBehind(): void {
    this.#salvage?.close();
    this.#salvage = null;
    this.#lost = [];
    this.#isToLeave = true;
    this.recover();
  }

  close(): void {
    this.#salvage?.close();
    this.#table?.close();
    this.#table = null;
  }
}
