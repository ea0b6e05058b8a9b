import { closeSync, openSync, readSync } from 'node:fs';
import { PAGE_SIZE } from '../../state/open-database.ts';

/*
 * The write-ahead log of an SQLite file, https://www.sqlite.org/fileformat2.html, "The Write-Ahead Log". SQLite reads it
 * up to the first frame that is not as it was written and takes that for its end: what was committed behind a damaged
 * sector is overwritten, and nobody is told.
 */

export const LOG_HEADER = 32;
export const FRAME_HEADER = 24;
export const FRAME = FRAME_HEADER + PAGE_SIZE;
const FRAMES_AT_ONCE = 256;
const MAGIC = 0x377f0682;

/** Each sum goes on from the one before it: `[first, second]`. */
type Sum = readonly [number, number];

const sumOf = (bytes: DataView, from: number, to: number, isLittle: boolean, [first, second]: Sum): Sum => {
  let [a, b] = [first, second];
  for (let at = from; at < to; at += 8) {
    a = (a + bytes.getUint32(at, isLittle) + b) >>> 0;
    b = (b + bytes.getUint32(at + 4, isLittle) + a) >>> 0;
  }
  return [a, b];
};

const saidAt = (bytes: DataView, at: number): Sum => [bytes.getUint32(at), bytes.getUint32(at + 4)];

const isSame = (one: Sum, other: Sum): boolean => one[0] === other[0] && one[1] === other[1];

class LogReader {
  readonly #descriptor: number;
  readonly #bytes = Buffer.alloc(FRAME * FRAMES_AT_ONCE);

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  #read(from: number, count: number): DataView {
    const read = readSync(this.#descriptor, this.#bytes, 0, count, from);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset, read);
  }

  header(): DataView | null {
    const bytes = this.#read(0, LOG_HEADER);
    return bytes.byteLength === LOG_HEADER ? bytes : null;
  }

  /** Whole frames only: one that was cut off was never committed. */
  *frames(): Generator<DataView> {
    for (let position = LOG_HEADER; ; position += this.#bytes.length) {
      const bytes = this.#read(position, this.#bytes.length);
      for (let at = 0; at + FRAME <= bytes.byteLength; at += FRAME)
        yield new DataView(bytes.buffer, bytes.byteOffset + at, FRAME);
      if (bytes.byteLength < this.#bytes.length) return;
    }
  }
}

const isEmpty = (bytes: DataView): boolean => {
  for (let at = 0; at < bytes.byteLength; at++) if (bytes.getUint8(at) !== 0) return false;
  return true;
};

/**
 * `whole`: SQLite reads all of it. `broken`: it holds what SQLite would leave out without a word. `broken_inside`: that
 * too, but what was committed last is as it was written.
 */
type LogState = 'whole' | 'broken' | 'broken_inside';

const stateOf = (log: LogReader): LogState => {
  const header = log.header();
  if (header === null) return 'whole';
  const isLittle = (header.getUint32(0) & 1) === 0;
  const salts = saidAt(header, 16);
  let before: Sum | null = sumOf(header, 0, 24, isLittle, [0, 0]);
  const isHeaderRight = header.getUint32(0) >>> 1 === MAGIC >>> 1 && isSame(before, saidAt(header, 24));
  let isBroken = false;
  let isCommitRight = true;
  let isEndRight = false;
  for (const frame of log.frames()) {
    if (!isHeaderRight) return isEmpty(frame) ? 'whole' : 'broken';
    if (!isSame(salts, saidAt(frame, 8))) {
      // Left by an earlier round of the log, unless one of this round comes behind it.
      before = null;
      continue;
    }
    const said = saidAt(frame, 16);
    const isRight: boolean =
      before !== null &&
      isSame(said, sumOf(frame, FRAME_HEADER, FRAME, isLittle, sumOf(frame, 0, 8, isLittle, before)));
    before = said;
    isBroken ||= !isRight;
    isCommitRight &&= isRight;
    const isCommit = frame.getUint32(4) !== 0;
    isEndRight = isCommit && isCommitRight;
    if (isCommit) isCommitRight = true;
  }
  if (!isBroken) return 'whole';
  return isEndRight ? 'broken_inside' : 'broken';
};

/** A log that is not there is whole. */
export const stateOfLog = (database: string): LogState => {
  let descriptor: number;
  try {
    descriptor = openSync(`${database}-wal`, 'r');
  } catch {
    return 'whole';
  }
  try {
    return stateOf(new LogReader(descriptor));
  } catch (error) {
    // A sector that cannot be read at all is damaged too; other trouble is for SQLite to tell.
    return (error as NodeJS.ErrnoException).code === 'EIO' ? 'broken' : 'whole';
  } finally {
    closeSync(descriptor);
  }
};
