import { DAY_MS } from '@lintel/access-core/durations';
import type { SequenceRange } from '@lintel/access-core/sequence-ranges';
import { getErrorCode } from '@lintel/service/error-code';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import {
  type EventStore,
  EventStoreError,
  type LostSequenceRange,
  type EventSalvageReport,
  type SavedEventNumbering,
  type EventCleanupConditions,
} from './event-store-interface.ts';
import { EventSalvage } from './event-salvage.ts';
import { type EventStoreLimits, EventTable, type EventTableOptions } from './event-table.ts';
import {
  archiveEventFilesOfPreviousOwner,
  type DamagedEventFile,
  listDamagedEventFiles,
  createPlaceholderForMissingEventFile,
  renameDamagedEventFile,
} from './damaged-event-files.ts';
import { readLastCommit } from './last-commit-file.ts';
import { isMissingOrUsableFile } from '@lintel/service/data-folder/damaged-file';
import { classifyStorageError } from '@lintel/service/sqlite/storage-error';

const defaultLimits: EventStoreLimits = { maxEvents: 5_000_000, diskBudget: 3 * 2 ** 30, retentionMs: 30 * DAY_MS };

interface SqliteEventStoreOptions extends Partial<EventStoreLimits>, EventTableOptions {
  readonly file: string;
  readonly savedSequence: () => SavedEventNumbering;
}

const toStoreError = (error: unknown): EventStoreError =>
  new EventStoreError(classifyStorageError(error), { cause: error });

/** Bad sectors and missing tables count as damage, too. */
const isUnusableFile = (error: unknown): boolean =>
  classifyStorageError(error) === 'damaged' ||
  getErrorCode(error) === 'SQLITE_IOERR_READ' ||
  /no such (?:table|column)/.test(String(error));

/** Stores events in an SQLite file. If the file cannot be opened, calls fail, but the constructor does not. */
export class SqliteEventStore implements EventStore {
  readonly #options: SqliteEventStoreOptions;
  readonly #limits: EventStoreLimits;
  #table: EventTable | null = null;
  #isDamaged = false;
  #salvage: EventSalvage | null = null;
  #lost: LostSequenceRange[] = [];
  /** The file must be archived before it is used again. */
  #mustArchive = false;

  constructor(options: SqliteEventStoreOptions) {
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
      const failure = toStoreError(error);
      this.#isDamaged ||= failure.kind === 'damaged';
      throw failure;
    }
  }

  recover(): void {
    try {
      const lastUsed = this.#table?.counts.last;
      this.#table?.close();
      this.#table = null;
      if (this.#mustArchive) archiveEventFilesOfPreviousOwner(this.#options.file);
      else if (this.#isDamaged) this.#renameDamagedFile(lastUsed);
      this.#table = this.#open();
      this.#isDamaged = false;
      this.#mustArchive = false;
    } catch (error) {
      throw toStoreError(error);
    }
  }

  #open(): EventTable {
    try {
      return this.#openTable();
    } catch (error) {
      if (!isUnusableFile(error) && isMissingOrUsableFile(this.#options.file)) throw error;
      this.#renameDamagedFile();
      return this.#openTable();
    }
  }

  #renameDamagedFile(lastUsed?: number): void {
    const { ceiling, isExact } = this.#savedSequence();
    renameDamagedEventFile(this.#options.file, {
      lastPossible: lastUsed ?? ceiling,
      isExact: lastUsed !== undefined || isExact === true,
    });
    // The salvage detects them again.
    this.#lost = [];
  }

  /** The record of the last commit replaces a saved sequence that is lost. */
  #savedSequence(): SavedEventNumbering {
    const saved = this.#options.savedSequence();
    const commit = readLastCommit(this.#options.file);
    if (commit === null || commit.last <= saved.ceiling) return saved;
    return { ...saved, ceiling: commit.last, isExact: false };
  }

  #openTable(): EventTable {
    const { file } = this.#options;
    const { ceiling, confirmed, isExact } = this.#savedSequence();
    const table = new EventTable(file, this.#limits, this.#options);
    if (!table.isNew) return table;
    const damaged = listDamagedEventFiles(file);
    // The file is missing, and with it all unconfirmed events.
    if (damaged.length === 0 && ceiling > confirmed && !this.#mustArchive && file !== ':memory:')
      createPlaceholderForMissingEventFile(file, { lastPossible: ceiling, isExact: isExact === true });
    table.startAfter(Math.max(ceiling, ...damaged.map(({ lastPossible }) => lastPossible)));
    return table;
  }

  append(events: readonly DeviceEvent[]): void {
    this.#with(table => table.append(events));
  }

  lastSequence(): number {
    return this.#table?.counts.last ?? this.#options.savedSequence().ceiling;
  }

  read(after: number, upTo: number, limit: number): readonly DeviceEvent[] {
    return this.#with(table => table.read(after, upTo, limit, this.#lost));
  }

  contains(event: Pick<DeviceEvent, 'id' | 'sequence'>): boolean {
    return this.#with(table => table.contains(event));
  }

  missing(first: number, last: number): readonly SequenceRange[] {
    return this.#with(table => table.missing(first, last));
  }

  acknowledge(sequences: readonly number[]): void {
    this.#with(table => table.acknowledge(sequences));
  }

  highestConfirmed(): number {
    return this.#with(table => table.highestConfirmed());
  }

  requeue(from: number): boolean {
    return this.#with(table => table.requeue(from));
  }

  waitingCount(): number {
    return this.#table?.waiting ?? 0;
  }

  newest(limit: number): readonly DeviceEvent[] {
    return this.#with(table => table.newest(limit));
  }

  confirmedUpTo(): number {
    const { file, savedSequence } = this.#options;
    const isSalvaging = this.#salvage !== null || listDamagedEventFiles(file).length > 0;
    if (this.#table === null || isSalvaging) return savedSequence().confirmed;
    return this.#table.counts.confirmed_up_to;
  }

  isOverfull(): boolean {
    return this.#with(table => table.isOverfull());
  }

  makeRoom(createGaps: (lost: readonly LostSequenceRange[]) => readonly DeviceEvent[]): void {
    this.#with(table => table.makeRoom(createGaps));
  }

  tidy(conditions: EventCleanupConditions): boolean {
    return this.#with(table => table.tidy(conditions));
  }

  salvage(): EventSalvageReport | null {
    if (this.#table === null) return null;
    const lost = this.#lost.splice(0);
    const [damaged] = this.#salvage === null ? listDamagedEventFiles(this.#options.file) : [];
    if (damaged !== undefined) this.#salvage = this.#startSalvage(damaged);
    if (this.#salvage === null) return lost.length === 0 ? null : { salvaged: 0, lost, done: true };
    const salvage = this.#salvage;
    const report = this.#with(table => salvage.step(table));
    if (report.done) this.#salvage = null;
    return { ...report, lost: [...lost, ...report.lost] };
  }

  #startSalvage(damaged: DamagedEventFile): EventSalvage {
    const { savedSequence, bootId = null } = this.#options;
    return new EventSalvage(damaged, savedSequence(), bootId);
  }

  archive(): void {
    this.#salvage?.close();
    this.#salvage = null;
    this.#lost = [];
    this.#mustArchive = true;
    this.recover();
  }

  close(): void {
    this.#salvage?.close();
    this.#table?.close();
    this.#table = null;
  }
}
