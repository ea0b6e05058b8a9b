import { DAY_MS } from '@lintel/access-core/durations';
import { type SequenceRange, SequenceRangeSet } from '@lintel/access-core/sequence-ranges';
import { isMissingOrUsableFile } from '@lintel/service/data-folder/damaged-file';
import { classifyStorageError, type StorageErrorKind } from '@lintel/service/sqlite/storage-error';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import {
  archiveEventFiles,
  DamagedEventFile,
  findDamagedEventFile,
  setDamagedEventFileAside,
} from './damaged-event-file.ts';
import { type EventCleanupConditions, type EventStoreLimits, EventTable, type UploadState } from './event-table.ts';
import type { LostSequenceRange } from './lost-ranges.ts';

/** `full`: no space. `damaged`: the file is corrupt. `failed`: the disk fails, which says nothing about the content. */
export class EventStoreError extends Error {
  override readonly name = 'EventStoreError';
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, options?: ErrorOptions) {
    super(`The event store is ${kind === 'failed' ? 'not working' : kind}`, options);
    this.kind = kind;
  }
}

/** Numbering saved outside of the event file. */
export interface SavedEventNumbering {
  /** No higher number was ever used. */
  readonly ceiling: number;
  /** All up to this number were confirmed. */
  readonly confirmed: number;
  /** The ceiling itself is the last used number. */
  readonly isExact: boolean;
  /** This number was used, for an event on the disk or in memory; 0 when unknown. */
  readonly lastUsed: number;
  readonly lastEpoch?: string;
}

/** Results since the last call. */
export interface EventSalvageReport {
  /** Rows of a damaged file are being recovered. */
  readonly isRecovering: boolean;
  readonly lost: readonly LostSequenceRange[];
}

const defaultLimits: EventStoreLimits = { diskBudget: 3 * 2 ** 30, retentionMs: 30 * DAY_MS };

interface EventStoreOptions extends Partial<EventStoreLimits> {
  readonly file: string;
  readonly savedNumbering?: () => SavedEventNumbering;
}

const noSavedNumbering = (): SavedEventNumbering => ({ ceiling: 0, confirmed: 0, isExact: false, lastUsed: 0 });

const toStoreError = (error: unknown): EventStoreError =>
  new EventStoreError(classifyStorageError(error), { cause: error });

const isDamage = (error: unknown): boolean =>
  classifyStorageError(error) === 'damaged' || /no such (?:table|column)/.test(String(error));

/**
 * Events that the bridge has not confirmed yet, and confirmed ones for a while, in an SQLite file. A damaged file is
 * set aside and its readable rows are recovered; numbers without an event are reported. Methods may throw
 * EventStoreError; the constructor does not.
 */
export class EventStore {
  readonly #options: EventStoreOptions;
  readonly #limits: EventStoreLimits;
  readonly #savedNumbering: () => SavedEventNumbering;
  /** What the previous run left. */
  readonly #before: SavedEventNumbering;
  #table: EventTable | null = null;
  #isDamaged = false;
  #damagedFile: DamagedEventFile | null = null;
  /** Numbers that may have no event. */
  #holes = new SequenceRangeSet();
  /** The file must be archived before it is used again. */
  #mustArchive = false;

  constructor(options: EventStoreOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options };
    this.#savedNumbering = options.savedNumbering ?? noSavedNumbering;
    this.#before = this.#savedNumbering();
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

  /** Recovers from a failure, with a new file if necessary. Throws while it cannot. */
  recover(): void {
    const { file } = this.#options;
    try {
      const lastUsed = this.#table?.last;
      this.#table?.close();
      this.#table = null;
      if (this.#mustArchive) archiveEventFiles(file);
      else if (this.#isDamaged) setDamagedEventFileAside(file);
      this.#table = this.#open(lastUsed);
      this.#isDamaged = false;
      this.#mustArchive = false;
    } catch (error) {
      throw toStoreError(error);
    }
  }

  #open(lastUsed: number | undefined): EventTable {
    const { file } = this.#options;
    const open = (): EventTable => new EventTable(file, this.#limits, () => this.#startNewFile(lastUsed));
    try {
      return this.#complete(open());
    } catch (error) {
      if (!isDamage(error) && isMissingOrUsableFile(file)) throw error;
      setDamagedEventFileAside(file);
      return this.#complete(open());
    }
  }

  /** The events of an earlier file are lost, unless they are salvaged or the bridge has them. */
  #startNewFile(lastUsed: number | undefined): UploadState {
    const saved = this.#savedNumbering();
    const last = lastUsed ?? Math.max(saved.ceiling, saved.lastUsed);
    const confirmed = this.#mustArchive || this.#options.file === ':memory:' ? last : saved.confirmed;
    return { last, settled: confirmed === 0 ? [] : [[1, confirmed]], confirmed, uncertain: last };
  }

  /** After a crash, events up to the last used number are missing if they have no row; higher numbers were not used. */
  #complete(table: EventTable): EventTable {
    const { lastUsed, ceiling, isExact } = this.#before;
    // A crash may have followed the recovery of a damaged file.
    if (table.uncertain > 0) this.#holes.add([1, table.uncertain]);
    if (lastUsed > table.last) this.#holes.add([table.last + 1, lastUsed]);
    if (!isExact) table.settle([Math.max(table.last, lastUsed) + 1, ceiling]);
    return table;
  }

  /** Flushes all events or none to the disk before it returns. */
  append(events: readonly DeviceEvent[]): void {
    this.#with(table => table.append(events));
  }

  /** No higher number has been used. */
  lastSequence(): number {
    const { ceiling, lastUsed } = this.#savedNumbering();
    return this.#table?.last ?? Math.max(ceiling, lastUsed);
  }

  /** Unconfirmed events with `after < sequence <= upTo`, in order. */
  read(after: number, upTo: number, limit: number): readonly DeviceEvent[] {
    return this.#with(table => table.read(after, upTo, limit, this.#holes));
  }

  /** `stored`: the event is, or the bridge has it. `taken`: its number belongs to another event. */
  find(event: Pick<DeviceEvent, 'id' | 'sequence'>): 'stored' | 'taken' | 'missing' {
    return this.#with(table => table.find(event));
  }

  /** The bridge has committed these events. */
  acknowledge(sequences: readonly number[]): void {
    this.#with(table => table.acknowledge(sequences));
  }

  /** The highest number that the bridge has confirmed. */
  highestConfirmed(): number {
    return this.#with(table => table.confirmed);
  }

  /** Confirmed events from this number on wait again. A limited number per call; false when there are no more. */
  requeue(from: number): boolean {
    return this.#with(table => table.requeue(from));
  }

  /** The bridge has all events up to this number. */
  confirmedUpTo(): number {
    if (this.#table === null || this.#isSalvaging) return this.#savedNumbering().confirmed;
    return this.#table.confirmedUpTo;
  }

  waitingCount(): number {
    return this.#table?.waiting ?? 0;
  }

  /** The newest events first, including confirmed ones that are kept for display. */
  newest(limit: number): readonly DeviceEvent[] {
    return this.#with(table => table.newest(limit));
  }

  /** True when `makeRoom` is due. */
  isOverfull(): boolean {
    return this.#with(table => table.isOverfull());
  }

  /** Deletes confirmed events first, then the oldest, which `createGaps` replaces by gap records. */
  makeRoom(createGaps: (lost: readonly LostSequenceRange[]) => readonly DeviceEvent[]): void {
    this.#with(table => table.makeRoom(createGaps));
  }

  /** Slow work for idle times. False when there is no more for now. */
  tidy(conditions: EventCleanupConditions): boolean {
    return this.#with(table => table.tidy(conditions));
  }

  get #isSalvaging(): boolean {
    return this.#damagedFile !== null || findDamagedEventFile(this.#options.file) !== null;
  }

  /** Recovers a limited number of rows of a damaged file, then finds lost events. Null when there is nothing to report. */
  salvage(): EventSalvageReport | null {
    if (this.#table === null) return null;
    const path = this.#damagedFile === null ? findDamagedEventFile(this.#options.file) : null;
    if (path !== null) this.#startSalvage(path);
    if (this.#damagedFile !== null) return this.#salvageRows(this.#damagedFile);
    const { ranges } = this.#holes;
    const lost = this.#with(table => ranges.flatMap(hole => this.#listLost(table, hole)));
    this.#holes = new SequenceRangeSet();
    return lost.length === 0 ? null : { isRecovering: false, lost };
  }

  #startSalvage(path: string): void {
    this.#damagedFile = this.#with(table => {
      const file = new DamagedEventFile(path, table.uncertain);
      for (const range of file.settled()) table.settle([range[0], Math.min(range[1], table.uncertain)]);
      return file;
    });
  }

  /** The file is removed when its last row is committed, so that a crash before repeats the work. */
  #salvageRows(file: DamagedEventFile): EventSalvageReport {
    const rows = file.next();
    if (rows !== null) this.#with(table => table.restore(rows));
    else {
      file.remove();
      this.#damagedFile = null;
      this.#holes.add([1, this.#with(table => table.uncertain)]);
    }
    return { isRecovering: true, lost: [] };
  }

  #listLost(table: EventTable, hole: SequenceRange): LostSequenceRange[] {
    const { lastUsed, lastEpoch } = this.#before;
    return table.missing(hole).map(([first, last]) => ({
      first,
      last,
      from: null,
      to: null,
      ...(lastEpoch !== undefined && last === lastUsed ? { epoch: lastEpoch } : {}),
      ...(first <= table.uncertain ? { isAtMost: true } : {}),
    }));
  }

  /** Renames the file and starts an empty one with higher numbers. */
  archive(): void {
    this.#damagedFile?.close();
    this.#damagedFile = null;
    this.#holes = new SequenceRangeSet();
    this.#mustArchive = true;
    this.recover();
  }

  close(): void {
    this.#damagedFile?.close();
    this.#table?.close();
    this.#table = null;
  }
}
