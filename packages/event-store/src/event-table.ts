import { SequenceRangeSet, toSequenceRanges, type SequenceRange } from '@lintel/access-core/sequence-ranges';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { LostSequenceRange, EventCleanupConditions } from './event-store-interface.ts';
import { type EventCounts, EVENT_COUNTS_TABLE_SQL, prepareEventCountsWriter, readEventCounts } from './event-counts.ts';
import {
  CONFIRMED_CRC_OFFSET,
  type StoredEventRow,
  parseStoredEventRow,
  isEventRowConfirmed,
  isEventRowIntact,
  toStoredEventRow,
} from './event-row.ts';
import { mergeLostRanges, listRangesLostWithEvent } from './lost-sequence-ranges.ts';
import { type LastCommitFile, openLastCommitFile } from './last-commit-file.ts';
import { type FlushFile, type WriteAheadLog, openWriteAheadLog } from './flush-and-preallocate-write-ahead-log.ts';
import { WAL_FRAME_BYTES, hasWalCommitsAfterDamage } from './wal-commits-after-damage.ts';
import { openSqlite, type SqliteConnection } from '@lintel/service/sqlite/open-sqlite';
import { DamagedDataError } from '@lintel/service/sqlite/storage-error';
import { smallDevicePragmas } from '@lintel/service/sqlite/small-device-pragmas';

const LAYOUT = `
  CREATE TABLE events (
    sequence INTEGER PRIMARY KEY, confirmed INTEGER NOT NULL, crc INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX kept ON events (sequence) WHERE confirmed = 1;${EVENT_COUNTS_TABLE_SQL}`;

/** Rows changed at a time: enough to keep up, few enough not to delay the door. */
const BATCH = 1_000;
const LEAST_ROWS_READ = 100;
/** Pause between checks for events to delete. */
const RETENTION_CHECK_MS = 60_000;
const RETENTION_ON_FULL_DISK_MS = 24 * 3_600_000;
const COMMITS_BEFORE_CHECKPOINT = 500;
/** The space for that many commits, with a margin for page splits. */
const RESERVE = 1.5 * COMMITS_BEFORE_CHECKPOINT * WAL_FRAME_BYTES;

export interface EventStoreLimits {
  readonly maxEvents: number;
  /** Bytes of the file. */
  readonly diskBudget: number;
  /** How long confirmed events stay, for display and for a bridge that has lost them. */
  readonly retentionMs: number;
}

export interface EventTableOptions {
  readonly flush?: FlushFile | undefined;
  /** Of the machine. */
  readonly bootId?: string | null | undefined;
}

/** The oldest confirmed rows, of events before the given time. Those that cannot be read have no time. */
const IS_EXPIRED = `sequence IN (SELECT sequence FROM events INDEXED BY kept WHERE confirmed = 1 ORDER BY sequence LIMIT ?)
  AND NOT coalesce(CASE WHEN json_valid(body) THEN json_extract(body, '$.occurred_at') >= ? END, 0)`;

/** Columns are named, so that files of newer versions with more columns work. */
const statementsOf = (database: SqliteConnection) => ({
  append: database.prepare<[number, number, string]>(
    'INSERT INTO events (sequence, confirmed, crc, body) VALUES (?, 0, ?, ?)',
  ),
  restore: database.prepare<[number, number, string]>(
    'INSERT OR IGNORE INTO events (sequence, confirmed, crc, body) VALUES (?, 0, ?, ?)',
  ),
  /** Includes confirmed rows, because a damaged row may look confirmed. */
  read: database.prepare<[number, number], StoredEventRow>(
    'SELECT sequence, crc, body FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?',
  ),
  newest: database.prepare<[number], StoredEventRow>(
    'SELECT sequence, crc, body FROM events ORDER BY sequence DESC LIMIT ?',
  ),
  confirmOne: database.prepare<[number]>(
    `UPDATE events SET confirmed = 1, crc = crc + ${CONFIRMED_CRC_OFFSET} WHERE sequence = ? AND crc < ${CONFIRMED_CRC_OFFSET}`,
  ),
  requeue: database.prepare<[number, number]>(
    `UPDATE events SET confirmed = 0, crc = crc - ${CONFIRMED_CRC_OFFSET} WHERE sequence IN
     (SELECT sequence FROM events INDEXED BY kept WHERE confirmed = 1 AND sequence >= ? ORDER BY sequence LIMIT ?)
     AND crc >= ${CONFIRMED_CRC_OFFSET}`,
  ),
  find: database.prepare<[number], StoredEventRow>('SELECT sequence, crc, body FROM events WHERE sequence = ?'),
  listNumbers: database.prepare<[number, number], Pick<StoredEventRow, 'sequence'>>(
    'SELECT sequence FROM events WHERE sequence BETWEEN ? AND ?',
  ),
  newestKept: database.prepare<[], { sequence: number | null }>(
    'SELECT max(sequence) AS sequence FROM events INDEXED BY kept WHERE confirmed = 1',
  ),
  hasExpired: database.prepare<[number, number], { found: 0 | 1 }>(
    `SELECT EXISTS (SELECT 1 FROM events WHERE ${IS_EXPIRED}) AS found`,
  ),
  deleteExpired: database.prepare<[number, number]>(`DELETE FROM events WHERE ${IS_EXPIRED}`),
  usedBytes: database.prepare<[], { bytes: number }>(
    `SELECT (page_count - freelist_count) * page_size AS bytes
     FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
  ),
  deleteOne: database.prepare<[number]>('DELETE FROM events WHERE sequence = ?'),
});

/** An intact event file. Methods throw errors of SQLite. */
export class EventTable {
  readonly isNew: boolean;
  readonly #database: SqliteConnection;
  readonly #limits: EventStoreLimits;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #writeCounts: (counts: EventCounts) => void;
  readonly #log: WriteAheadLog;
  readonly #lastCommit: LastCommitFile;
  #counts: EventCounts;
  #commits = 0;
  #retentionCheckedAt = Number.NEGATIVE_INFINITY;

  constructor(file: string, limits: EventStoreLimits, { flush, bootId = null }: EventTableOptions = {}) {
    this.#limits = limits;
    this.#database = openSqlite(file, { layout: { version: 1, sql: LAYOUT }, pragmas: smallDevicePragmas });
    try {
      if (hasWalCommitsAfterDamage(this.#database, file))
        throw new DamagedDataError('a part of the write-ahead log cannot be read');
      this.#statements = statementsOf(this.#database);
      this.#writeCounts = prepareEventCountsWriter(this.#database);
      const { counts, isNew } = readEventCounts(this.#database);
      this.#counts = counts;
      this.isNew = isNew;
      this.#database.pragma('synchronous = NORMAL');
      this.#lastCommit = openLastCommitFile(this.#database, file, bootId);
      this.#checkLastCommit();
      this.#log = openWriteAheadLog(file, RESERVE, flush);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  #checkLastCommit(): void {
    // The record belongs to an earlier file.
    if (this.isNew) this.#lastCommit.remove();
    if (!this.#lastCommit.isCommitMissing(this.#counts)) return;
    this.#lastCommit.close();
    throw new DamagedDataError('the end of the write-ahead log is missing');
  }

  get counts(): Readonly<EventCounts> {
    return this.#counts;
  }

  get waiting(): number {
    return this.#counts.last - this.#counts.skipped - this.#counts.settled;
  }

  /** Changes rows and counts together. The counts in memory change after the commit. */
  #commit(work: (counts: EventCounts) => void): void {
    const counts = { ...this.#counts };
    this.#database.transaction(() => {
      work(counts);
      this.#writeCounts(counts);
    })();
    this.#counts = counts;
    this.#commits++;
  }

  #change(work: (counts: EventCounts) => void): void {
    this.#commit(work);
    this.#flush();
  }

  #flush(): void {
    this.#log.flush();
    this.#lastCommit.save(this.#counts);
  }

  /** Continues the sequence of an earlier file. */
  startAfter(sequence: number): void {
    this.#change(counts => {
      const last = Math.max(sequence, counts.last);
      counts.skipped += last - counts.last;
      counts.last = last;
    });
  }

  append(events: readonly DeviceEvent[]): void {
    const [first] = events;
    if (first === undefined) return;
    const { last, skipped } = this.#counts;
    if (events.length === 1 && first.sequence === last + 1) this.#appendOne(first);
    else this.#commit(counts => this.#appendAll(counts, events));
    try {
      this.#flush();
    } catch (error) {
      this.#undoAppend(events, last, skipped);
      throw error;
    }
  }

  #appendOne(event: DeviceEvent): void {
    const { sequence, crc, body } = toStoredEventRow(event);
    this.#statements.append.run(sequence, crc, body);
    this.#counts.last = sequence;
    this.#commits++;
  }

  /** Removes rows that could not be flushed; the caller appends them again. */
  #undoAppend(events: readonly DeviceEvent[], last: number, skipped: number): void {
    try {
      this.#commit(counts => {
        for (const { sequence } of events) this.#statements.deleteOne.run(sequence);
        counts.last = last;
        counts.skipped = skipped;
      });
    } catch {
      // The event is then sent twice with the same id.
    }
  }

  #appendAll(counts: EventCounts, events: readonly DeviceEvent[]): void {
    for (const { sequence, crc, body } of events.map(toStoredEventRow)) {
      this.#statements.append.run(sequence, crc, body);
      counts.skipped += sequence - counts.last - 1;
      counts.last = sequence;
    }
  }

  /** Adds rows of another file with their numbers. */
  restore(rows: readonly StoredEventRow[]): number {
    let restored = 0;
    this.#change(counts => {
      for (const { sequence, crc, body } of rows) restored += this.#statements.restore.run(sequence, crc, body).changes;
      counts.skipped -= restored;
      // Newer events may have been confirmed in the meantime.
      counts.confirmed_up_to = Math.min(counts.confirmed_up_to, (rows[0]?.sequence ?? Infinity) - 1);
    });
    return restored;
  }

  /** Unconfirmed rows in order of their numbers. Numbers out of range are damage. */
  #rows(after: number, upTo: number, limit: number): StoredEventRow[] {
    const waiting: StoredEventRow[] = [];
    let before = after;
    const step = Math.max(limit, LEAST_ROWS_READ);
    for (;;) {
      const rows = this.#statements.read.all(before, step);
      for (const row of rows) {
        if (row.sequence <= before || row.sequence > this.#counts.last)
          throw new DamagedDataError(`event ${row.sequence} follows ${before}`);
        before = row.sequence;
        if (row.sequence > upTo) return waiting.slice(0, limit);
        if (!isEventRowConfirmed(row)) waiting.push(row);
        else if (!isEventRowIntact(row))
          throw new DamagedDataError(`acknowledgement of event ${row.sequence} is corrupt`);
      }
      if (rows.length < step || waiting.length >= limit) return waiting.slice(0, limit);
    }
  }

  /** A row that was read but cannot be deleted by its number shows a damaged tree. */
  #delete({ sequence }: StoredEventRow): void {
    if (this.#statements.deleteOne.run(sequence).changes !== 1)
      throw new DamagedDataError(`event ${sequence} cannot be found by its number`);
  }

  /** Deletes rows with a wrong checksum and adds them to `lost`. */
  read(after: number, upTo: number, limit: number, lost: LostSequenceRange[]): DeviceEvent[] {
    const rows = this.#rows(Math.max(after, this.#counts.confirmed_up_to), upTo, limit);
    return rows.flatMap(row => {
      const event = parseStoredEventRow(row);
      if (event !== null) return [event];
      this.#change(counts => {
        this.#delete(row);
        counts.settled++;
      });
      lost.push({ first: row.sequence, last: row.sequence, from: null, to: null });
      return [];
    });
  }

  newest(limit: number): DeviceEvent[] {
    return this.#statements.newest.all(limit).flatMap(row => parseStoredEventRow(row) ?? []);
  }

  contains({ id, sequence }: Pick<DeviceEvent, 'id' | 'sequence'>): boolean {
    const row = this.#statements.find.get(sequence);
    return row !== undefined && parseStoredEventRow(row)?.id === id;
  }

  missing(first: number, last: number): SequenceRange[] {
    const stored = this.#statements.listNumbers.all(first, last).map(({ sequence }) => sequence);
    return new SequenceRangeSet(toSequenceRanges(stored)).missing([first, last]);
  }

  highestConfirmed(): number {
    return Math.max(this.#counts.confirmed_up_to, this.#statements.newestKept.get()?.sequence ?? 0);
  }

  acknowledge(sequences: readonly number[]): void {
    this.#change(counts => {
      let confirmed = 0;
      for (const sequence of sequences) confirmed += this.#statements.confirmOne.run(sequence).changes;
      counts.settled += confirmed;
      counts.kept += confirmed;
      const [firstWaiting] = this.#rows(counts.confirmed_up_to, counts.last, 1);
      counts.confirmed_up_to = firstWaiting === undefined ? counts.last : firstWaiting.sequence - 1;
    });
  }

  requeue(from: number): boolean {
    let requeued = 0;
    this.#change(counts => {
      requeued = this.#statements.requeue.run(from, BATCH).changes;
      counts.settled -= requeued;
      counts.kept -= requeued;
      if (requeued > 0) counts.confirmed_up_to = Math.min(counts.confirmed_up_to, Math.max(0, from - 1));
    });
    return requeued > 0;
  }

  #deleteKept(counts: EventCounts, before: number): number {
    const deleted = this.#statements.deleteExpired.run(BATCH, before).changes;
    counts.kept -= deleted;
    return deleted;
  }

  isOverfull(): boolean {
    if (this.waiting + this.#counts.kept > this.#limits.maxEvents) return true;
    return this.#statements.usedBytes.get()!.bytes > this.#limits.diskBudget;
  }

  makeRoom(createGaps: (lost: readonly LostSequenceRange[]) => readonly DeviceEvent[]): void {
    this.#change(counts => {
      if (this.#deleteKept(counts, Number.POSITIVE_INFINITY) === 0) this.#dropOldest(counts, createGaps);
    });
  }

  #dropOldest(counts: EventCounts, createGaps: (lost: readonly LostSequenceRange[]) => readonly DeviceEvent[]): void {
    const rows = this.#rows(0, counts.last, BATCH);
    for (const row of rows) this.#delete(row);
    counts.settled += rows.length;
    const unread = (sequence: number): LostSequenceRange => ({ first: sequence, last: sequence, from: null, to: null });
    const ranges = rows.flatMap(row => {
      const event = parseStoredEventRow(row);
      return event === null ? [unread(row.sequence)] : listRangesLostWithEvent(event);
    });
    this.#appendAll(counts, createGaps(mergeLostRanges(ranges)));
  }

  /** True while there is more work. */
  tidy({ now, isDiskAlmostFull }: EventCleanupConditions): boolean {
    if (this.#commits >= COMMITS_BEFORE_CHECKPOINT) {
      this.#database.pragma('wal_checkpoint(PASSIVE)');
      this.#commits = 0;
    }
    const hasGrown = this.#log.preallocate();
    return this.#deleteExpired(now, isDiskAlmostFull) || hasGrown;
  }

  /** Free pages of the file take new events, also on a full disk. */
  #deleteExpired(now: number, isDiskAlmostFull: boolean): boolean {
    if (this.#counts.kept === 0 || Math.abs(now - this.#retentionCheckedAt) < RETENTION_CHECK_MS) return false;
    const { retentionMs } = this.#limits;
    const before = now - (isDiskAlmostFull ? Math.min(retentionMs, RETENTION_ON_FULL_DISK_MS) : retentionMs);
    // A transaction without a change would also be flushed to the disk.
    if (this.#statements.hasExpired.get(BATCH, before)!.found === 0) {
      this.#retentionCheckedAt = now;
      return false;
    }
    this.#change(counts => this.#deleteKept(counts, before));
    return true;
  }

  close(): void {
    this.#log.close();
    this.#lastCommit.close();
    this.#database.close();
  }
}
