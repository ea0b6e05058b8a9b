import { getErrorCode } from '../error-code.ts';

/** Damage that SQLite itself does not detect. */
export class DamagedDataError extends Error {
  override readonly name = 'DamagedDataError';
}

/** `full`: no disk space. `damaged`: corrupt file. `failed`: any other error. */
export type StorageErrorKind = 'full' | 'damaged' | 'failed';

export const classifyStorageError = (error: unknown): StorageErrorKind => {
  if (error instanceof DamagedDataError) return 'damaged';
  const code = getErrorCode(error);
  if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC') return 'full';
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(code) ? 'damaged' : 'failed';
};
