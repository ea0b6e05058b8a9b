import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { DAY_MS } from '@lintel/access-core/durations';
import { type SequenceRange, SequenceRangeSet, toSequenceRanges } from '@lintel/access-core/sequence-ranges';
import { openSqlite, SQLITE_PAGE_SIZE, type SqliteConnection } from '@lintel/service/sqlite/open-sqlite';
import { smallDevicePragmas } from '@lintel/service/sqlite/small-device-pragmas';
import { DamagedDataError } from '@lintel/service/sqlite/storage-error';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { type LostSequenceRange, listRangesLostWithEvent, mergeLostRanges } from './lost-ranges.ts';

/** SQLite has no checksums of its own. That of an event covers its number, so that rows cannot be swapped. */
const LAYOUT = `
  CREATE TABLE events (sequence INTEGER PRIMARY KEY, crc INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE TABLE upload_state (one INTEGER PRIMARY KEY, crc INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE TABLE reserve (part INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;`;

/** Rows changed at a time: enough to keep up, few enough not to delay the door. */
const BATCH = 1_000;
const LEAST_ROWS_READ = 100;
const RETENTION_CHECK_MS = 60_000;
const COMMITS_BEFORE_CHECKPOINT = 500;
/** Free space in the file and its log for about 500 events between two checkpoints, and 10,000 in all. */
const RESERVE_PARTS = 16;
const RESERVE_PART_BYTES = 256 * 1024;
const MIN_FREE_RESERVES = 4;

export interface EventStoreLimits {
  /** Bytes of the file. */
  readonly diskBudget: number;
  /** How long confirmed events stay, for display and for a bridge that has lost them. */
  readonly retentionMs: number;
}

export interface EventCleanupConditions {
  readonly now: number;
  /** Then events that the bridge has are deleted after a day. */
  readonly isDiskAlmostFull: boolean;
}

export interface EventRow {
  readonly sequence: number;
  readonly crc: number;
  readonly body: string;
}

/** Saved beside the events. A number up to `last` that is not settled must have a row; else its event is lost. */
export interface UploadState {
  /** No lower number is used for new events. */
  readonly last: number;
  /** Confirmed by the bridge, reported as lost, or never used. */
  readonly settled: readonly SequenceRange[];
  /** The highest number that the bridge has confirmed. */
  readonly confirmed: number;
  /** The file replaced another one, in which numbers up to this one may never have been used. */
  readonly uncertain: number;
}

const checksum = (sequence: number, body: string): number => crc32(`${sequence}:${body}`);
export const isIntact = ({ sequence, crc, body }: EventRow): boolean => checksum(sequence, body) === crc;
const parseRow = (row: EventRow): DeviceEvent | null =>
  isIntact(row) ? { ...(JSON.parse(row.body) as DeviceEvent), sequence: row.sequence } : null;

/** Null in a new file. */
export const readUploadState = (database: SqliteConnection): UploadState | null => {
  const row = database.prepare<[], EventRow>('SELECT one AS sequence, crc, body FROM upload_state WHERE one = 1').get();
  if (row === undefined) return null;
  if (!isIntact(row)) throw new DamagedDataError('the state of the uploads is damaged');
  return JSON.parse(row.body) as UploadState;
};

/** Columns are named, so that files of newer versions with more columns work. */
const prepareStatements = (database: SqliteConnection) => ({
  append: database.prepare<[number, number, string]>('INSERT INTO events (sequence, crc, body) VALUES (?, ?, ?)'),
  restore: database.prepare<[number, number, string]>(
    'INSERT OR IGNORE INTO events (sequence, crc, body) VALUES (?, ?, ?)',
  ),
  read: database.prepare<[number, number], EventRow>(
    'SELECT sequence, crc, body FROM events WHERE sequence >= ? ORDER BY sequence LIMIT ?',
  ),
  newest: database.prepare<[number], EventRow>('SELECT sequence, crc, body FROM events ORDER BY sequence DESC LIMIT ?'),
  remove: database.prepare<[number]>('DELETE FROM events WHERE sequence = ?'),
  saveState: database.prepare<[number, string]>(
    'INSERT OR REPLACE INTO upload_state (one, crc, body) VALUES (1, ?, ?)',
  ),
  usedBytes: database
    .prepare<[], number>(
      `SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    )
    .pluck(),
  addReserve: database.prepare<[number, Uint8Array]>('INSERT OR REPLACE INTO reserve (part, bytes) VALUES (?, ?)'),
});

/** An intact event file. Every commit is flushed. Methods throw errors of SQLite. */
export class EventTable {
  readonly #file: string;
  readonly #database: SqliteConnection;
  readonly #limits: EventStoreLimits;
  readonly #statements: ReturnType<typeof prepareStatements>;
  #last: number;
  #settled: SequenceRangeSet;
  #confirmed: number;
  #uncertain: number;
  #commits = 0;
  #reserved = 0;
  #requeuedTo: number | null = null;
  /** The upload state in memory is newer than the saved one. */
  #isUnsaved = false;
  #retentionCheckedAt = Number.NEGATIVE_INFINITY;

  /** `initial`: for a new file. */
  constructor(file: string, limits: EventStoreLimits, initial: () => UploadState) {
    this.#file = file;
    this.#limits = limits;
    this.#database = openSqlite(file, { layout: { version: 1, sql: LAYOUT }, pragmas: smallDevicePragmas });
    try {
      this.#statements = prepareStatements(this.#database);
      const saved = readUploadState(this.#database);
      const { last, settled, confirmed, uncertain } = saved ?? initial();
      const [newest] = this.#statements.newest.all(1);
      // New numbers follow the newest row.
      if (newest !== undefined && !isIntact(newest)) throw new DamagedDataError('the newest event is damaged');
      this.#last = Math.max(last, newest?.sequence ?? 0);
      this.#settled = new SequenceRangeSet(settled);
      this.#confirmed = confirmed;
      this.#uncertain = uncertain;
      if (saved === null) this.#create();
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** In the file itself, so that the loss of its log never makes it look new. */
  #create(): void {
    this.#change(() => undefined);
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
  }

  get last(): number {
    return this.#last;
  }

  get confirmed(): number {
    return this.#confirmed;
  }

  get uncertain(): number {
    return this.#uncertain;
  }

  get confirmedUpTo(): number {
    const [first] = this.#settled.missing([1, this.#last]);
    return first === undefined ? this.#last : first[0] - 1;
  }

  get waiting(): number {
    return this.#settled.missing([1, this.#last]).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  }

  /** Changes rows and the upload state together. The state in memory changes after the commit. */
  #change(work: (settled: SequenceRangeSet) => void, { last = this.#last, confirmed = this.#confirmed } = {}): void {
    const settled = new SequenceRangeSet(this.#settled.ranges);
    this.#database.transaction(() => {
      work(settled);
      const body = JSON.stringify({ last, settled: settled.ranges, confirmed, uncertain: this.#uncertain });
      this.#statements.saveState.run(checksum(1, body), body);
    })();
    this.#commits++;
    this.#settled = settled;
    this.#last = last;
    this.#confirmed = confirmed;
    this.#isUnsaved = false;
  }

  #insert(event: DeviceEvent): void {
    const body = JSON.stringify(event);
    this.#statements.append.run(event.sequence, checksum(event.sequence, body), body);
  }

  /** A gap record settles the numbers that it reports. */
  append(events: readonly DeviceEvent[]): void {
    const last = Math.max(this.#last, ...events.map(({ sequence }) => sequence));
    const [event] = events;
    if (event === undefined) return;
    const isSettled = this.#settled.hasAll([event.sequence, event.sequence]);
    if (events.length === 1 && event.lost == null && !this.#isUnsaved && !isSettled) {
      this.#insert(event);
      this.#commits++;
      this.#last = last;
    } else this.#change(settled => this.#insertAll(events, settled), { last });
  }

  #insertAll(events: readonly DeviceEvent[], settled: SequenceRangeSet): void {
    for (const event of events) {
      this.#insert(event);
      settled.remove([event.sequence, event.sequence]);
      if (event.lost != null) settled.add([event.lost.first, event.lost.last]);
    }
  }

  /** These numbers will have no event. Saved at the latest with the next event, because the disk may be full now. */
  settle(range: SequenceRange): void {
    if (range[0] > range[1] || this.#settled.hasAll(range)) return;
    this.#settled.add(range);
    this.#last = Math.max(this.#last, range[1]);
    this.#isUnsaved = true;
  }

  /** Adds rows of a damaged file. */
  restore(rows: readonly EventRow[]): number {
    let restored = 0;
    this.#change(() => {
      for (const { sequence, crc, body } of rows.filter(row => !this.#settled.hasAll([row.sequence, row.sequence])))
        restored += this.#statements.restore.run(sequence, crc, body).changes;
    });
    return restored;
  }

  /**
   * Rows in order of their numbers. Without an upper bound in the query, because SQLite would end the scan at a damaged
   * number beyond it.
   */
  *#rows(first: number, end: number, step: number): Generator<EventRow> {
    for (let next = first; ; ) {
      const rows = this.#statements.read.all(next, step);
      for (const row of rows) {
        if (row.sequence < next || row.sequence > this.#last)
          throw new DamagedDataError(`event ${row.sequence} follows ${next - 1}`);
        if (row.sequence > end) return;
        next = row.sequence + 1;
        yield row;
      }
      if (rows.length < step) return;
    }
  }

  /** Waiting events. Adds numbers without an intact row to `holes`. */
  read(after: number, upTo: number, limit: number, holes: SequenceRangeSet): DeviceEvent[] {
    const end = Math.min(upTo, this.#last);
    const [waiting] = this.#settled.missing([after + 1, end]);
    const events: DeviceEvent[] = [];
    if (waiting === undefined) return events;
    let [next] = waiting;
    const addHoles = (last: number): void => {
      for (const hole of this.#settled.missing([next, last])) holes.add(hole);
    };
    for (const row of this.#rows(next, end, Math.max(limit, LEAST_ROWS_READ))) {
      addHoles(row.sequence - 1);
      next = row.sequence + 1;
      if (this.#settled.hasAll([row.sequence, row.sequence])) continue;
      const event = parseRow(row);
      if (event === null) this.#removeDamaged(row, holes);
      else if (events.push(event) === limit) return events;
    }
    addHoles(end);
    return events;
  }

  #removeDamaged(row: EventRow, holes: SequenceRangeSet): void {
    this.#remove(row);
    holes.add([row.sequence, row.sequence]);
  }

  /** A row that was read but cannot be deleted by its number shows a damaged tree. */
  #remove({ sequence }: EventRow): void {
    if (this.#statements.remove.run(sequence).changes !== 1)
      throw new DamagedDataError(`event ${sequence} cannot be found by its number`);
  }

  /** The parts of the range that are neither settled nor stored. */
  missing([first, last]: SequenceRange): SequenceRange[] {
    return this.#settled
      .missing([first, Math.min(last, this.#last)])
      .flatMap(range => this.#stored(range).missing(range));
  }

  #stored([first, last]: SequenceRange): SequenceRangeSet {
    const stored = new SequenceRangeSet();
    for (const { sequence } of this.#rows(first, last, BATCH)) stored.add([sequence, sequence]);
    return stored;
  }

  newest(limit: number): DeviceEvent[] {
    return this.#statements.newest.all(limit).flatMap(row => parseRow(row) ?? []);
  }

  /** `stored`: the event is, or the bridge has it. `taken`: its number belongs to another event. */
  find({ id, sequence }: Pick<DeviceEvent, 'id' | 'sequence'>): 'stored' | 'taken' | 'missing' {
    const [row] = this.#statements.read.all(sequence, 1);
    if (row?.sequence === sequence) return parseRow(row)?.id === id ? 'stored' : 'taken';
    return this.#settled.hasAll([sequence, sequence]) ? 'stored' : 'missing';
  }

  acknowledge(sequences: readonly number[]): void {
    const confirmed = Math.max(this.#confirmed, ...sequences);
    this.#change(
      settled => {
        for (const range of toSequenceRanges(sequences)) settled.add(range);
      },
      { confirmed },
    );
  }

  /** True while there is more to do. */
  requeue(from: number): boolean {
    const first = this.#requeuedTo ?? Math.max(1, from);
    if (first > this.#last) {
      this.#requeuedTo = null;
      return false;
    }
    const range: SequenceRange = [first, Math.min(this.#last, first + BATCH - 1)];
    this.#change(
      settled => {
        for (const stored of this.#stored(range).ranges) settled.remove(stored);
      },
      { confirmed: Math.min(this.#confirmed, Math.max(0, from - 1)) },
    );
    this.#requeuedTo = range[1] + 1;
    return true;
  }

  isOverfull(): boolean {
    return this.#statements.usedBytes.get()! > this.#limits.diskBudget;
  }

  makeRoom(createGaps: (lost: readonly LostSequenceRange[]) => readonly DeviceEvent[]): void {
    if (this.#removeConfirmed(Number.POSITIVE_INFINITY)) return;
    const rows = this.#statements.read.all(0, BATCH);
    const lost = rows.flatMap((row): LostSequenceRange[] => {
      const event = parseRow(row);
      if (event !== null) return listRangesLostWithEvent(event);
      return [{ first: row.sequence, last: row.sequence, from: null, to: null }];
    });
    const gaps = createGaps(mergeLostRanges(lost));
    const last = Math.max(this.#last, ...gaps.map(({ sequence }) => sequence));
    this.#change(
      settled => {
        for (const row of rows) this.#remove(row);
        this.#insertAll(gaps, settled);
      },
      { last },
    );
  }

  /** Removes the oldest confirmed events of before the given time. True when there may be more. */
  #removeConfirmed(before: number): boolean {
    for (const [first, last] of this.#settled.ranges) {
      const isExpired = (row: EventRow): boolean => !((parseRow(row)?.occurred_at ?? 0) >= before);
      // Most often the oldest row shows that there is nothing to do.
      const readRows = (limit: number) => this.#statements.read.all(first, limit).filter(row => row.sequence <= last);
      if (!readRows(1).some(isExpired)) continue;
      const expired = readRows(BATCH).filter(isExpired);
      this.#change(() => {
        for (const row of expired) this.#remove(row);
      });
      return true;
    }
    return false;
  }

  /** True while there is more work. */
  tidy({ now, isDiskAlmostFull }: EventCleanupConditions): boolean {
    if (this.#commits >= COMMITS_BEFORE_CHECKPOINT) this.#checkpoint();
    const isReserving = this.#reserve();
    if (Math.abs(now - this.#retentionCheckedAt) < RETENTION_CHECK_MS) return isReserving;
    const { retentionMs } = this.#limits;
    if (this.#removeConfirmed(now - (isDiskAlmostFull ? Math.min(retentionMs, DAY_MS) : retentionMs))) return true;
    this.#retentionCheckedAt = now;
    return isReserving;
  }

  #checkpoint(): void {
    this.#database.pragma('wal_checkpoint(PASSIVE)');
    this.#commits = 0;
  }

  /**
   * Fills the log and the file with pages and releases them, in steps. SQLite keeps and reuses them, so that events can be
   * written when the disk is full. False when done.
   */
  #reserve(): boolean {
    if (this.#reserved > RESERVE_PARTS || this.#file === ':memory:') return false;
    try {
      if (this.#reserved === 0 && !this.#hasRoomForReserve()) this.#reserved = RESERVE_PARTS + 1;
      else if (this.#reserved < RESERVE_PARTS)
        this.#statements.addReserve.run(this.#reserved++, new Uint8Array(RESERVE_PART_BYTES - SQLITE_PAGE_SIZE));
      else {
        this.#database.exec('DELETE FROM reserve');
        this.#checkpoint();
        this.#reserved++;
      }
    } catch {
      // No space: events are written as long as possible without it.
      this.#reserved = RESERVE_PARTS + 1;
    }
    return this.#reserved <= RESERVE_PARTS;
  }

  #hasRoomForReserve(): boolean {
    const { bavail, bsize } = statfsSync(dirname(this.#file));
    return bavail * bsize >= MIN_FREE_RESERVES * RESERVE_PARTS * RESERVE_PART_BYTES;
  }

  close(): void {
    this.#database.close();
  }
}
