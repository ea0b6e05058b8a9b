import { readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { getErrorCode } from '../error-code.ts';
import { classifyStorageError } from '../sqlite/storage-error.ts';

/** A file that the program needs cannot be used. The message says what to do. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

const reasonFor = (path: string, error: unknown): string => {
  const code = getErrorCode(error);
  if (isFolder(path)) return 'is a folder, but must be a file. Move it away and restore the file from a backup';
  if (classifyStorageError(error) === 'damaged') return 'is damaged. Restore it from a backup';
  if (['EACCES', 'EPERM', 'SQLITE_CANTOPEN', 'SQLITE_READONLY'].includes(code))
    return `cannot be opened. Give the user ${userInfo().username} access: chown ${userInfo().username} ${path}`;
  return `cannot be read (${code}). Check the disk, or restore the file from a backup`;
};

export const toFileError = (path: string, error: unknown): FileError =>
  new FileError(`${path} ${reasonFor(path, error)}.`, { cause: error });

/** Throws a FileError. */
export const readRequiredFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw toFileError(path, error);
  }
};
