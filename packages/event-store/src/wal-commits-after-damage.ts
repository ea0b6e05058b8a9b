import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { SQLITE_PAGE_SIZE, type SqliteConnection } from '@lintel/service/sqlite/open-sqlite';

/* https://www.sqlite.org/fileformat2.html#walformat */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
export const WAL_FRAME_BYTES = FRAME_HEADER_BYTES + SQLITE_PAGE_SIZE;
const MAGIC = 0x377f0682;
/** Each generation of the log has its own salts. */
export const WAL_SALTS_POSITION = 16;
export const WAL_SALTS_BYTES = 8;

/** `log`: committed frames of the write-ahead log. */
export interface WalCheckpointResult {
  readonly log: number;
}

const readAt = (descriptor: number, position: number, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  readSync(descriptor, bytes, 0, length, position);
  return bytes;
};

const isCommit = (frame: Buffer): boolean => frame.readUInt32BE(4) !== 0;

const hasCommitsFrom = (descriptor: number, firstFrame: number): boolean => {
  const header = readAt(descriptor, 0, HEADER_BYTES);
  // Frames with other salts are older.
  const salts = header.subarray(WAL_SALTS_POSITION, WAL_SALTS_POSITION + WAL_SALTS_BYTES);
  const isHeaderDamaged = header.some(byte => byte !== 0) && header.readUInt32BE(0) >>> 1 !== MAGIC >>> 1;
  const { size } = fstatSync(descriptor);
  // A truncated frame was never committed.
  for (let at = HEADER_BYTES + firstFrame * WAL_FRAME_BYTES; at + WAL_FRAME_BYTES <= size; at += WAL_FRAME_BYTES) {
    const frame = readAt(descriptor, at, FRAME_HEADER_BYTES);
    if (isCommit(frame) && (isHeaderDamaged || salts.equals(frame.subarray(8, 16)))) return true;
  }
  return false;
};

/**
 * SQLite treats the first damaged frame of its write-ahead log as the end and overwrites later commits. True when there
 * are such commits. Must be called before any write.
 */
export const hasWalCommitsAfterDamage = (database: SqliteConnection, file: string): boolean => {
  if (file === ':memory:') return false;
  const [{ log }] = database.pragma('wal_checkpoint(NOOP)') as [WalCheckpointResult];
  const descriptor = openSync(`${file}-wal`, 'r');
  try {
    return hasCommitsFrom(descriptor, Math.max(0, log));
  } finally {
    closeSync(descriptor);
  }
};
