import { closeSync, constants, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { SqliteConnection, SqliteStatement } from '@lintel/service/sqlite/open-sqlite';
import type { EventCounts } from './event-counts.ts';
import { type WalCheckpointResult, WAL_SALTS_BYTES, WAL_SALTS_POSITION } from './wal-commits-after-damage.ts';

const RECORD_BYTES = 256;

/** What an event file contains after a commit. */
export interface LastCommit extends Pick<EventCounts, 'last' | 'confirmed_up_to'> {
  /** The generation of the write-ahead log, and its committed frames. */
  readonly salts: string;
  readonly frames: number;
  /** Of the machine. A commit before its last start may not be the last one, because records are not flushed. */
  readonly boot_id: string | null;
}

/** Moves, and is deleted, with the event file. */
export const LAST_COMMIT_SUFFIX = '-last-commit';

const encodeRecord = (commit: LastCommit): Buffer => {
  const body = JSON.stringify(commit);
  const bytes = Buffer.alloc(RECORD_BYTES, ' ');
  bytes.write(`${crc32(body)} ${body}\n`);
  return bytes;
};

/** Null when the record is missing or damaged. It then proves nothing. */
export const readLastCommit = (file: string): LastCommit | null => {
  try {
    const text = readFileSync(file + LAST_COMMIT_SUFFIX, 'utf8');
    const [, crc, body] = /^(\d+) (.*)\n/.exec(text) ?? [];
    return body === undefined || crc32(body) !== Number(crc) ? null : (JSON.parse(body) as LastCommit);
  } catch {
    return null;
  }
};

export interface LastCommitFile {
  /** True when the event file misses a commit that it contained before. Must be called before any write. */
  isCommitMissing(counts: Pick<EventCounts, 'last'>): boolean;
  /** Called after a commit was flushed. Never throws. */
  save(counts: EventCounts): void;
  remove(): void;
  close(): void;
}

const noLastCommitFile: LastCommitFile = {
  isCommitMissing: () => false,
  save: () => undefined,
  remove: () => undefined,
  close: () => undefined,
};

/**
 * SQLite cannot detect that the end of its write-ahead log is missing. This file beside it records each commit. It is
 * not flushed: after a power cut it may be older than the event file, and then proves less.
 */
class StoredLastCommit implements LastCommitFile {
  readonly #file: string;
  readonly #bootId: string | null;
  readonly #log: number;
  readonly #checkpoint: SqliteStatement<[], WalCheckpointResult>;
  readonly #salts = Buffer.alloc(WAL_SALTS_BYTES);
  #record: number | null = null;

  constructor(database: SqliteConnection, file: string, bootId: string | null) {
    this.#file = file;
    this.#bootId = bootId;
    this.#checkpoint = database.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#log = openSync(`${file}-wal`, 'r');
  }

  #end(): Pick<LastCommit, 'salts' | 'frames'> {
    const { log } = this.#checkpoint.get()!;
    const length = readSync(this.#log, this.#salts, 0, WAL_SALTS_BYTES, WAL_SALTS_POSITION);
    return { salts: this.#salts.toString('hex', 0, length), frames: Math.max(0, log) };
  }

  isCommitMissing({ last }: Pick<EventCounts, 'last'>): boolean {
    const saved = readLastCommit(this.#file);
    if (saved === null) return false;
    const { salts, frames } = this.#end();
    // A log with other salts follows one that is completely in the database file.
    return last < saved.last || (salts === saved.salts && frames < saved.frames);
  }

  save({ last, confirmed_up_to }: EventCounts): void {
    try {
      this.#record ??= openSync(this.#file + LAST_COMMIT_SUFFIX, constants.O_RDWR | constants.O_CREAT, 0o600);
      const bytes = encodeRecord({ last, confirmed_up_to, ...this.#end(), boot_id: this.#bootId });
      if (writeSync(this.#record, bytes, 0, bytes.length, 0) !== bytes.length) this.remove();
    } catch {
      // An old record would look like the last commit.
      this.remove();
    }
  }

  remove(): void {
    this.#closeRecord();
    try {
      rmSync(this.#file + LAST_COMMIT_SUFFIX, { force: true, recursive: true });
    } catch {
      // The disk fails, which the event file reports.
    }
  }

  #closeRecord(): void {
    if (this.#record !== null) closeSync(this.#record);
    this.#record = null;
  }

  close(): void {
    this.#closeRecord();
    closeSync(this.#log);
  }
}

/** The database must have been read from, so that its write-ahead log exists. */
export const openLastCommitFile = (database: SqliteConnection, file: string, bootId: string | null): LastCommitFile =>
  file === ':memory:' ? noLastCommitFile : new StoredLastCommit(database, file, bootId);
