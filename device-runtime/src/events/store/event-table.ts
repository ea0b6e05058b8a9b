import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { LostRange } from '../event-store.ts';
import { type Counts, countsLayout, countsWriter, readCounts } from './event-counts.ts';
import { CONFIRMED, type EventRow, fromRow, isConfirmed, isIntact, toRow } from './event-row.ts';
import { mergeRanges, rangesLostWith } from './lost-ranges.ts';
import { type Flush, type FlushedLog, logOf } from './flushed-log.ts';
import { FRAME_BYTES, hasUnreadCommits } from './unread-log.ts';
import { openSqlite, type Sqlite } from '@lintel/service/sqlite/open-sqlite';
import { DamagedDataError } from '@lintel/service/sqlite/storage-error';
import { sqlitePragmas } from '../../state/sqlite-pragmas.ts';

const LAYOUT = `
  CREATE TABLE events (
    sequence INTEGER PRIMARY KEY, confirmed INTEGER NOT NULL, crc INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX kept ON events (sequence) WHERE confirmed = 1;${countsLayout}`;

/** Rows that go in one turn: enough to keep up, few enough not to be felt at the door. */
const AT_ONCE = 1_000;
const COMMITS_BEFORE_CHECKPOINT = 500;
/** What so many commits take up, with some that fill a page and begin another. */
const RESERVE = 1.5 * COMMITS_BEFORE_CHECKPOINT * FRAME_BYTES;

export interface EventLimits {
  readonly maxEvents: number;
  /** Bytes of the file. */
  readonly diskBudget: number;
  /** So many of the newest stay after they are confirmed, for the technician to look at. */
  readonly history: number;
}

/** Columns are named: a file that a newer version has added some to is still of use to this one. */
const statementsOf = (database: Sqlite) => ({
  append: database.prepare<[number, number, string]>(
    'INSERT INTO events (sequence, confirmed, crc, body) VALUES (?, 0, ?, ?)',
  ),
  restore: database.prepare<[number, number, string]>(
    'INSERT OR IGNORE INTO events (sequence, confirmed, crc, body) VALUES (?, 0, ?, ?)',
  ),
  /** Confirmed ones too: what a damaged row says of itself is no reason to pass it over. */
  read: database.prepare<[number, number], EventRow>(
    'SELECT sequence, crc, body FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?',
  ),
  newest: database.prepare<[number], EventRow>('SELECT sequence, crc, body FROM events ORDER BY sequence DESC LIMIT ?'),
  confirmOne: database.prepare<[number]>(
    `UPDATE events SET confirmed = 1, crc = crc + ${CONFIRMED} WHERE sequence = ? AND crc < ${CONFIRMED}`,
  ),
  confirmUpTo: database.prepare<[number, number]>(
    `UPDATE events SET confirmed = 1, crc = crc + ${CONFIRMED}
     WHERE sequence > ? AND sequence <= ? AND crc < ${CONFIRMED}`,
  ),
  /** `RETURNING` tells which of the deleted rows had been counted as confirmed before. */
  deleteUpTo: database.prepare<[number, number], Pick<EventRow, 'crc'>>(
    `DELETE FROM events WHERE sequence IN (SELECT sequence FROM events WHERE sequence <= ? ORDER BY sequence LIMIT ?)
     RETURNING crc`,
  ),
  deleteKept: database.prepare<[number, number]>(
    `DELETE FROM events WHERE sequence IN
     (SELECT sequence FROM events INDEXED BY kept WHERE confirmed = 1 AND sequence <= ? ORDER BY sequence LIMIT ?)`,
  ),
  oldest: database.prepare<[], { sequence: number | null }>('SELECT min(sequence) AS sequence FROM events'),
  deleteOne: database.prepare<[number]>('DELETE FROM events WHERE sequence = ?'),
});

/** The buffer's file while it is in order. Every method throws what SQLite throws. */
export class EventTable {
  readonly isNew: boolean;
  readonly #database: Sqlite;
  readonly #limits: EventLimits;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #writeCounts: (counts: Counts) => void;
  readonly #log: FlushedLog;
  #counts: Counts;
  #commits = 0;

  constructor(file: string, limits: EventLimits, flush?: Flush) {
    this.#limits = limits;
    this.#database = openSqlite(file, { layout: { version: 1, sql: LAYOUT }, pragmas: sqlitePragmas });
    try {
      if (hasUnreadCommits(this.#database, file))
        throw new DamagedDataError('a part of the write-ahead log cannot be read');
      this.#statements = statementsOf(this.#database);
      this.#writeCounts = countsWriter(this.#database);
      const { counts, isNew } = readCounts(this.#database);
      this.#counts = counts;
      this.isNew = isNew;
      this.#database.pragma('synchronous = NORMAL');
      this.#log = logOf(file, RESERVE, flush);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  get counts(): Readonly<Counts> {
    return this.#counts;
  }

  get waiting(): number {
    return this.#counts.last - this.#counts.skipped - this.#counts.settled;
  }

  /** Changes rows and counts together, and the counts in memory only when that was committed. */
  #commit(work: (counts: Counts) => void): void {
    const counts = { ...this.#counts };
    this.#database.transaction(() => {
      work(counts);
      this.#writeCounts(counts);
    })();
    this.#counts = counts;
    this.#commits++;
  }

  #change(work: (counts: Counts) => void): void {
    this.#commit(work);
    this.#log.flush();
  }

  /** A new file goes on after what was used before. */
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
      this.#log.flush();
    } catch (error) {
      this.#takeBack(events, last, skipped);
      throw error;
    }
  }

  #appendOne(event: DeviceEvent): void {
    const { sequence, crc, body } = toRow(event);
    this.#statements.append.run(sequence, crc, body);
    this.#counts.last = sequence;
    this.#commits++;
  }

  /** What could not be flushed is kept elsewhere and comes again. */
  #takeBack(events: readonly DeviceEvent[], last: number, skipped: number): void {
    try {
      this.#commit(counts => {
        for (const { sequence } of events) this.#statements.deleteOne.run(sequence);
        counts.last = last;
        counts.skipped = skipped;
      });
    } catch {
      // Then it comes twice, under one id.
    }
  }

  #appendAll(counts: Counts, events: readonly DeviceEvent[]): void {
    for (const { sequence, crc, body } of events.map(toRow)) {
      this.#statements.append.run(sequence, crc, body);
      counts.skipped += sequence - counts.last - 1;
      counts.last = sequence;
    }
  }

  /** Rows of another file, with the numbers they had. */
  restore(rows: readonly EventRow[]): number {
    let restored = 0;
    this.#change(counts => {
      for (const { sequence, crc, body } of rows) restored += this.#statements.restore.run(sequence, crc, body).changes;
      counts.skipped -= restored;
    });
    return restored;
  }

  /** Unconfirmed rows in the order of their numbers. A row with a number that was never given out is no row. */
  #rows(after: number, upTo: number, limit: number): EventRow[] {
    const waiting: EventRow[] = [];
    let before = after;
    for (;;) {
      const rows = this.#statements.read.all(before, limit);
      for (const row of rows) {
        if (row.sequence <= before || row.sequence > this.#counts.last)
          throw new DamagedDataError(`an event with the number ${row.sequence} behind ${before}`);
        before = row.sequence;
        if (row.sequence > upTo) return waiting.slice(0, limit);
        if (!isConfirmed(row)) waiting.push(row);
        else if (!isIntact(row)) throw new DamagedDataError(`whether ${row.sequence} is confirmed cannot be told`);
      }
      if (rows.length < limit || waiting.length >= limit) return waiting.slice(0, limit);
    }
  }

  /** A row that is read and cannot be found to be deleted is not where the tree says it is. */
  #delete({ sequence }: EventRow): void {
    if (this.#statements.deleteOne.run(sequence).changes !== 1)
      throw new DamagedDataError(`the event ${sequence} cannot be found by its number`);
  }

  /** Rows whose check sum is wrong are taken out and named in `lost`. */
  read(after: number, upTo: number, limit: number, lost: LostRange[]): DeviceEvent[] {
    const rows = this.#rows(Math.max(after, this.#counts.confirmed_up_to), upTo, limit);
    return rows.flatMap(row => {
      const event = fromRow(row);
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
    return this.#statements.newest.all(limit).flatMap(row => fromRow(row) ?? []);
  }

  get #historyStart(): number {
    return this.#counts.last - this.#limits.history;
  }

  acknowledge(upTo: number, sequences: readonly number[]): void {
    const { confirmOne, confirmUpTo } = this.#statements;
    this.#change(counts => {
      counts.confirmed_up_to = Math.max(counts.confirmed_up_to, Math.min(upTo, counts.last));
      let confirmed = confirmUpTo.run(this.#historyStart, counts.confirmed_up_to).changes;
      for (const sequence of sequences) confirmed += confirmOne.run(sequence).changes;
      counts.settled += confirmed;
      counts.kept += confirmed;
      this.#deleteConfirmed(counts);
    });
  }

  /** Up to `AT_ONCE` rows; the others go in later turns. */
  #deleteConfirmed(counts: Counts): number {
    const end = Math.min(counts.confirmed_up_to, this.#historyStart);
    const deleted = this.#statements.deleteUpTo.all(end, AT_ONCE);
    const counted = deleted.filter(isConfirmed).length;
    counts.kept -= counted;
    counts.settled += deleted.length - counted;
    return deleted.length;
  }

  #deleteKept(counts: Counts, upTo: number): number {
    const deleted = this.#statements.deleteKept.run(upTo, AT_ONCE).changes;
    counts.kept -= deleted;
    return deleted;
  }

  isOverfull(): boolean {
    if (this.waiting + this.#counts.kept > this.#limits.maxEvents) return true;
    const pages = this.#pragma('page_count') - this.#pragma('freelist_count');
    return pages * this.#pragma('page_size') > this.#limits.diskBudget;
  }

  #pragma(name: string): number {
    return this.#database.pragma(name, { simple: true }) as number;
  }

  makeRoom(tell: (lost: readonly LostRange[]) => readonly DeviceEvent[]): void {
    this.#change(counts => {
      if (this.#deleteConfirmed(counts) + this.#deleteKept(counts, counts.last) === 0) this.#dropOldest(counts, tell);
    });
  }

  #dropOldest(counts: Counts, tell: (lost: readonly LostRange[]) => readonly DeviceEvent[]): void {
    const rows = this.#rows(0, counts.last, AT_ONCE);
    for (const row of rows) this.#delete(row);
    counts.settled += rows.length;
    const unread = (sequence: number): LostRange => ({ first: sequence, last: sequence, from: null, to: null });
    const ranges = rows.flatMap(row => {
      const event = fromRow(row);
      return event === null ? [unread(row.sequence)] : rangesLostWith(event);
    });
    this.#appendAll(counts, tell(mergeRanges(ranges)));
  }

  /** True while there is more to do. */
  tidy(): boolean {
    if (this.#commits >= COMMITS_BEFORE_CHECKPOINT) {
      this.#database.pragma('wal_checkpoint(PASSIVE)');
      this.#commits = 0;
    }
    const end = Math.min(this.#counts.confirmed_up_to, this.#historyStart);
    const hasGrown = this.#log.grow();
    const isLate = (this.#statements.oldest.get()?.sequence ?? Number.POSITIVE_INFINITY) <= end;
    if (!isLate && this.#counts.kept <= 2 * this.#limits.history) return hasGrown;
    let deleted = 0;
    this.#change(counts => {
      deleted = this.#deleteConfirmed(counts) + this.#deleteKept(counts, this.#historyStart);
    });
    return hasGrown || deleted > 0;
  }

  close(): void {
    this.#log.close();
    this.#database.close();
  }
}
