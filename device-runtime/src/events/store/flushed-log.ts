import { closeSync, fdatasyncSync, fstatSync, openSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Written in one turn: a card that takes 10 MB a second holds the door up for 25 ms. */
const PIECE = 256 * 1024;
/** Of a disk that has less than so many times the reserve left, nothing is taken in advance. */
const ROOM = 16;

export type Flush = (descriptor: number) => void;

export interface FlushedLog {
  /** What was committed is on the disk when this returns. */
  flush(): void;
  /** True while there is more to do. */
  grow(): boolean;
  close(): void;
}

const noLog: FlushedLog = { flush: () => undefined, grow: () => false, close: () => undefined };

/**
 * The write-ahead log of an SQLite file that is open with `synchronous = NORMAL`: SQLite keeps it in order, and whoever
 * has committed something flushes it here. A log that grows has the file system note every new block, which takes twice
 * as long at p99. SQLite's own flush, as it is built for Node, asks for the time of the change to be written too. Somebody
 * waits at the door.
 */
class LogFile implements FlushedLog {
  readonly #folder: string;
  readonly #descriptor: number;
  readonly #reserve: number;
  readonly #flush: Flush;
  #isReserved = false;

  constructor(database: string, reserve: number, flush: Flush) {
    this.#folder = dirname(database);
    this.#descriptor = openSync(`${database}-wal`, 'r+');
    this.#reserve = reserve;
    this.#flush = flush;
  }

  flush(): void {
    this.#flush(this.#descriptor);
  }

  /** Puts zeros at the end, which SQLite takes for no frames and writes over. */
  grow(): boolean {
    if (this.#isReserved) return false;
    try {
      this.#isReserved = !this.#hasRoom() || this.#growOnce() >= this.#reserve;
    } catch {
      // Only speed is at stake: the log grows as it is used.
      this.#isReserved = true;
    }
    return !this.#isReserved;
  }

  #hasRoom(): boolean {
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize >= ROOM * this.#reserve;
  }

  #growOnce(): number {
    const { size } = fstatSync(this.#descriptor);
    if (size >= this.#reserve) return size;
    const zeros = new Uint8Array(Math.min(PIECE, this.#reserve - size));
    const written = writeSync(this.#descriptor, zeros, 0, zeros.length, size);
    fdatasyncSync(this.#descriptor);
    return size + written;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/**
 * Of a database that has been read from: from then on there is a log. `reserve`: how many bytes are to be there before
 * they are needed.
 */
export const logOf = (database: string, reserve: number, flush: Flush = fdatasyncSync): FlushedLog =>
  database === ':memory:' ? noLog : new LogFile(database, reserve, flush);
