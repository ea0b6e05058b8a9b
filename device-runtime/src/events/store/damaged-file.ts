import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { FRAME_HEADER, LOG_HEADER } from './log-frames.ts';
import { PAGE_SIZE } from '../../state/open-database.ts';
import { type RawRow, rowsOfPage } from './page-rows.ts';

const PAGES_AT_ONCE = 256;

/** A file of equal pieces, each with a page at its end: the database itself, or its write-ahead log. */
interface Pieces {
  readonly path: string;
  readonly start: number;
  readonly size: number;
}

/** A database that SQLite cannot read any more, page after page with the log that belonged to it. */
export class DamagedFile {
  readonly path: string;
  readonly #parts: Pieces[];
  #descriptor: number | null = null;
  #position = 0;

  constructor(path: string) {
    this.path = path;
    this.#parts = [
      { path, start: 0, size: PAGE_SIZE },
      { path: `${path}-wal`, start: LOG_HEADER, size: FRAME_HEADER + PAGE_SIZE },
    ];
  }

  /** The rows of the next pages; null after the last. */
  next(): RawRow[] | null {
    const part = this.#parts[0];
    if (part === undefined) return null;
    try {
      this.#descriptor ??= this.#begin(part);
      const bytes = Buffer.alloc(part.size * PAGES_AT_ONCE);
      const read = readSync(this.#descriptor, bytes, 0, bytes.length, this.#position);
      if (read === 0) return this.#nextPart();
      this.#position += bytes.length;
      const rows: RawRow[] = [];
      for (let at = 0; at + part.size <= read; at += part.size)
        rows.push(...rowsOfPage(bytes.subarray(at + part.size - PAGE_SIZE, at + part.size)));
      return rows;
    } catch (error) {
      return this.#skip(part, error as NodeJS.ErrnoException);
    }
  }

  #begin(part: Pieces): number {
    this.#position = part.start;
    return openSync(part.path, 'r');
  }

  /** A part that is not there has nothing to give; sectors that cannot be read are left out. */
  #skip(part: Pieces, error: NodeJS.ErrnoException): RawRow[] | null {
    if (this.#descriptor === null || error.code === 'ENOENT') return this.#nextPart();
    this.#position += part.size * PAGES_AT_ONCE;
    return this.#position < fstatSync(this.#descriptor).size ? [] : this.#nextPart();
  }

  #nextPart(): RawRow[] | null {
    this.close();
    this.#parts.shift();
    return this.next();
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  remove(): void {
    this.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(this.path + suffix, { force: true });
  }
}
