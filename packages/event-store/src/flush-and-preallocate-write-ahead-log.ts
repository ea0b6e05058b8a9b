import { closeSync, fdatasyncSync, fstatSync, openSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Takes 25 ms on an SD card with 10 MB/s. */
const PREALLOCATION_STEP_BYTES = 256 * 1024;
/** Space is preallocated only if the disk has this many times the reserve left. */
const MIN_FREE_RESERVES = 16;

export type FlushFile = (descriptor: number) => void;

export interface WriteAheadLog {
  /** Commits are on the disk when this returns. */
  flush(): void;
  /** True while there is more work. */
  preallocate(): boolean;
  close(): void;
}

const noWriteAheadLog: WriteAheadLog = { flush: () => undefined, preallocate: () => false, close: () => undefined };

/**
 * The write-ahead log of an SQLite file opened with `synchronous = NORMAL`. The caller flushes it after each commit.
 * Preallocation halves the p99 latency of a flush, because the file system allocates no new blocks. `fdatasync` is faster
 * than SQLite's own flush in Node, which also writes the modification time.
 */
class WriteAheadLogFile implements WriteAheadLog {
  readonly #folder: string;
  readonly #descriptor: number;
  readonly #reserve: number;
  readonly #flush: FlushFile;
  #isReserved = false;

  constructor(database: string, reserve: number, flush: FlushFile) {
    this.#folder = dirname(database);
    this.#descriptor = openSync(`${database}-wal`, 'r+');
    this.#reserve = reserve;
    this.#flush = flush;
  }

  flush(): void {
    this.#flush(this.#descriptor);
  }

  /** Appends zeros, which SQLite does not read as frames and overwrites. */
  preallocate(): boolean {
    if (this.#isReserved) return false;
    try {
      this.#isReserved = !this.#hasRoom() || this.#growOnce() >= this.#reserve;
    } catch {
      // Preallocation only affects speed.
      this.#isReserved = true;
    }
    return !this.#isReserved;
  }

  #hasRoom(): boolean {
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize >= MIN_FREE_RESERVES * this.#reserve;
  }

  #growOnce(): number {
    const { size } = fstatSync(this.#descriptor);
    if (size >= this.#reserve) return size;
    const zeros = new Uint8Array(Math.min(PREALLOCATION_STEP_BYTES, this.#reserve - size));
    const written = writeSync(this.#descriptor, zeros, 0, zeros.length, size);
    fdatasyncSync(this.#descriptor);
    return size + written;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/**
 * The database must have been read from, so that the log exists. `reserve`: bytes to preallocate.
 */
export const openWriteAheadLog = (
  database: string,
  reserve: number,
  flush: FlushFile = fdatasyncSync,
): WriteAheadLog => (database === ':memory:' ? noWriteAheadLog : new WriteAheadLogFile(database, reserve, flush));
