import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
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

/** Of the file, or of its folder while the file does not exist. */
const isOnReadOnlyFileSystem = (path: string): boolean =>
  [path, dirname(path)].some(place => {
    try {
      accessSync(place, constants.W_OK);
      return false;
    } catch (error) {
      return getErrorCode(error) === 'EROFS';
    }
  });

const reasonFor = (path: string, error: unknown): string => {
  const code = getErrorCode(error);
  if (isFolder(path)) return 'is a folder, but must be a file. Move it away and restore the file from a backup';
  if (classifyStorageError(error) === 'damaged') return 'is damaged. Restore it from a backup';
  if (code === 'EROFS' || isOnReadOnlyFileSystem(path))
    return 'is on a read-only file system. Check the disk (dmesg), and mount it for writing';
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
