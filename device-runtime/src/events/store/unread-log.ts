import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { PAGE_SIZE, type Sqlite } from '@lintel/service/sqlite/open-sqlite';

/* https://www.sqlite.org/fileformat2.html#walformat */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
export const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_SIZE;
const MAGIC = 0x377f0682;

const readAt = (descriptor: number, position: number, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  readSync(descriptor, bytes, 0, length, position);
  return bytes;
};

const isCommit = (frame: Buffer): boolean => frame.readUInt32BE(4) !== 0;

const hasCommitsFrom = (descriptor: number, firstFrame: number): boolean => {
  const header = readAt(descriptor, 0, HEADER_BYTES);
  // Each round of the log has salts of its own: frames with others were left by an earlier round.
  const salts = header.subarray(16, 24);
  const isHeaderDamaged = header.some(byte => byte !== 0) && header.readUInt32BE(0) >>> 1 !== MAGIC >>> 1;
  const { size } = fstatSync(descriptor);
  // A frame that was cut off was never committed.
  for (let at = HEADER_BYTES + firstFrame * FRAME_BYTES; at + FRAME_BYTES <= size; at += FRAME_BYTES) {
    const frame = readAt(descriptor, at, FRAME_HEADER_BYTES);
    if (isCommit(frame) && (isHeaderDamaged || salts.equals(frame.subarray(8, 16)))) return true;
  }
  return false;
};

/**
 * SQLite takes the first damaged frame of its write-ahead log for the end and overwrites what was committed behind it.
 * True when there are such commits. To be called before anything is written.
 */
export const hasUnreadCommits = (database: Sqlite, file: string): boolean => {
  if (file === ':memory:') return false;
  const [{ log }] = database.pragma('wal_checkpoint(NOOP)') as [{ readonly log: number }];
  const descriptor = openSync(`${file}-wal`, 'r');
  try {
    return hasCommitsFrom(descriptor, Math.max(0, log));
  } finally {
    closeSync(descriptor);
  }
};
